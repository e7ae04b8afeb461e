package import PorticoConfig
package import PorticoUpstream
import PorticoWire

/// What a caller may do, and who it is as far as its token tells.
package struct Access: Sendable, Equatable {
    package let roles: Set<AccessToken.Role>
    package let caller: Identity
    /// Asked for with every cached answer, so it is not looked up each time.
    let mayRead: Bool

    /// Where no tokens are asked for.
    package static let everyone = Access(roles: Set(AccessToken.Role.allCases), caller: .everyone)

    package init(roles: Set<AccessToken.Role>, caller: Identity) {
        self.roles = roles
        self.caller = caller
        mayRead = roles.contains(.read)
    }
}

/// Knows the bearer tokens that open the door.
package struct Authenticator: Sendable {
    private let tokens: [(bytes: [UInt8], access: Access)]

    /// - Parameter tokens: none: everybody is let in.
    package init(tokens: [AccessToken]) {
        self.tokens = tokens.map { token in
            let bytes = Array(token.secret.revealed.utf8)
            return (bytes, Access(roles: token.roles, caller: Identity(digest: SHA256.hash(bytes))))
        }
    }

    /// What a caller without a token may do; nil: nothing.
    package var accessWithoutToken: Access? { tokens.isEmpty ? .everyone : nil }

    /// Takes the same time whichever token it is, and however much of one is right; only its length shows.
    /// - Returns: nil: it is none of them.
    package func access(of token: Span<UInt8>) -> Access? {
        var found = accessWithoutToken
        for (candidate, access) in tokens {
            var difference = UInt64(bitPattern: Int64(candidate.count ^ token.count))
            for index in token.indices {
                // A wrong length is a difference already; any byte of the candidate will do then.
                let byte = candidate.isEmpty ? 0 : candidate[index % candidate.count]
                difference |= UInt64(byte ^ token[index])
            }
            found = difference == 0 ? access : found
        }
        return found
    }
}
