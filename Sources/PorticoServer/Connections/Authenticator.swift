package import PorticoConfig
import PorticoWire

/// Knows the bearer tokens that open the door.
package struct Authenticator: Sendable {
    private let tokens: [[UInt8]]

    /// - Parameter tokens: none: everybody is let in.
    package init(tokens: [Secret]) { self.tokens = tokens.map { Array($0.revealed.utf8) } }

    package var letsEverybodyIn: Bool { tokens.isEmpty }

    /// Takes the same time whichever token it is, and however much of one is right; only its length shows.
    package func accepts(_ token: Span<UInt8>) -> Bool {
        var isAccepted = tokens.isEmpty
        for candidate in tokens {
            var difference = UInt64(bitPattern: Int64(candidate.count ^ token.count))
            for index in token.indices {
                // A wrong length is a difference already; any byte of the candidate will do then.
                let byte = candidate.isEmpty ? 0 : candidate[index % candidate.count]
                difference |= UInt64(byte ^ token[index])
            }
            isAccepted = (difference == 0) || isAccepted
        }
        return isAccepted
    }
}
