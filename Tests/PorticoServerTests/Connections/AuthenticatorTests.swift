import PorticoConfig
import Testing

@testable import PorticoServer

@Test(arguments: [
    ("good", true), ("other-token", true), ("goo", false), ("goodgood", false), ("", false), ("Good", false),
    ("good\0", false),
]) func onlyExactTokensAreAccepted(token: String, isAccepted: Bool) {
    let authenticator = Authenticator(tokens: [AccessToken("good"), AccessToken("other-token")])
    let found = authenticator.access(of: Array(token.utf8).span) != nil
    #expect(found == isAccepted)
}

@Test func withoutTokensEverybodyIsLetIn() {
    let isAccepted = Authenticator(tokens: []).access(of: [1].span) == .everyone
    #expect(isAccepted)
    #expect(Authenticator(tokens: []).accessWithoutToken == .everyone)
}
