/// Who is at the other end, kept small: every open connection has one. It becomes text when a line is logged.
package struct PeerAddress: Equatable, Sendable, CustomStringConvertible {
    private enum Family: UInt8, Sendable { case none, ipv4, ipv6 }

    private let family: Family
    private let port: UInt16
    /// The address's 16 bytes, big-endian; of an IPv4 address the last four of `low`.
    private let high: UInt64
    private let low: UInt64

    /// A Unix domain socket, or nobody that can be named.
    package static let unnamed = PeerAddress(family: .none, port: 0, high: 0, low: 0)

    package static func ipv4(_ address: UInt32, port: UInt16) -> PeerAddress {
        PeerAddress(family: .ipv4, port: port, high: 0, low: UInt64(address))
    }

    package static func ipv6(high: UInt64, low: UInt64, port: UInt16) -> PeerAddress {
        PeerAddress(family: .ipv6, port: port, high: high, low: low)
    }

    private init(family: Family, port: UInt16, high: UInt64, low: UInt64) {
        (self.family, self.port, self.high, self.low) = (family, port, high, low)
    }

    /// `192.0.2.1:54321`, `[2001:db8::1]:443`, or `-`.
    package var description: String {
        switch family {
        case .none: "-"
        case .ipv4:
            [24, 16, 8, 0].map { String(low >> $0 & 0xff) }.joined(separator: ".") + ":\(port)"
        case .ipv6: "[\(Self.text(of: groups))]:\(port)"
        }
    }

    private var groups: [UInt16] {
        [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) } }
    }

    /// RFC 5952: lower case, the first of the longest runs of two or more zeros left out.
    private static func text(of groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            let run = start..<index + 1
            if run.count > max(1, longest.count) { longest = run }
        }
        let hex = groups.map { String($0, radix: 16) }
        guard !longest.isEmpty else { return hex.joined(separator: ":") }
        return hex[..<longest.lowerBound].joined(separator: ":") + "::"
            + hex[longest.upperBound...].joined(separator: ":")
    }
}
