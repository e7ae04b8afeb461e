import PorticoConfig
import Testing

@testable import PorticoServer

@Test(arguments: [
    ("good", true), ("other-token", true), ("goo", false), ("goodgood", false), ("", false), ("Good", false),
    ("good\0", false),
]) func onlyExactTokensAreAccepted(token: String, isAccepted: Bool) {
    let authenticator = Authenticator(tokens: [Secret("good"), Secret("other-token")])
    let found = authenticator.accepts(Array(token.utf8).span)
    #expect(found == isAccepted)
}

@Test func withoutTokensEverybodyIsLetIn() {
    let isAccepted = Authenticator(tokens: []).accepts([1].span)
    #expect(isAccepted)
    #expect(Authenticator(tokens: []).letsEverybodyIn)
}
