/// An IP address, and whether it is one of the public internet.
package enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt128)

    /// Reads `a.b.c.d` or RFC 4291 text, with or without brackets or a zone (`fe80::1%eth0`); nil: neither. No other
    /// spelling of an IPv4 address (`0x7f.1`, `2130706433`) is one here.
    package init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        text = text.prefix { $0 != "%" }
        if let four = Self.four(text) {
            self = .v4(four)
        } else if let six = Self.six(text) {
            self = .v6(six)
        } else {
            return nil
        }
    }

    /// False for everything that IANA's special-purpose registries (RFC 6890) do not call globally reachable, multicast too:
    /// private, loopback and link-local networks, and whatever hides one of them in an IPv6 address.
    package var isPublic: Bool {
        switch self {
        case .v4(let bits):
            !Self.special4.contains { bits >> (32 - $0.length) == $0.bits >> (32 - $0.length) }
        case .v6(let bits):
            if let inner = Self.embedded(bits) {
                Self.v4(inner).isPublic
            } else {
                bits >> 125 == 1  // 2000::/3, all that has been given out
                    && !Self.special6.contains { bits >> (128 - $0.length) == $0.bits >> (128 - $0.length) }
            }
        }
    }

    private static let special4: [(bits: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0a00_0000, 8),  // private
        (0x6440_0000, 10),  // carrier-grade NAT
        (0x7f00_0000, 8),  // loopback
        (0xa9fe_0000, 16),  // link-local, where clouds keep their metadata
        (0xac10_0000, 12),  // private
        (0xc000_0000, 24),  // protocol assignments
        (0xc000_0200, 24),  // documentation
        (0xc058_6300, 24),  // 6to4 relays
        (0xc0a8_0000, 16),  // private
        (0xc612_0000, 15),  // benchmarks
        (0xc633_6400, 24),  // documentation
        (0xcb00_7100, 24),  // documentation
        (0xe000_0000, 4),  // multicast
        (0xf000_0000, 4),  // reserved, and broadcast
    ]

    private static let special6: [(bits: UInt128, length: UInt128)] = [
        (0x2001 << 112, 23),  // protocol assignments, Teredo among them
        (0x2001_0db8 << 96, 32),  // documentation
        (0x3fff << 112, 20),  // documentation
    ]

    /// The IPv4 address that a mapped (RFC 4291), translated (RFC 6052) or 6to4 (RFC 3056) one leads to.
    private static func embedded(_ bits: UInt128) -> UInt32? {
        if bits >> 32 == 0xffff || bits >> 32 == 0x0064_ff9b << 64 { return UInt32(truncatingIfNeeded: bits) }
        return bits >> 112 == 0x2002 ? UInt32(truncatingIfNeeded: bits >> 80) : nil
    }

    private static func four(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return parts.reduce(UInt32?(0)) { value, part in
            guard let value, (1...3).contains(part.utf8.count),
                part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.count == 1 || !part.hasPrefix("0"), let byte = UInt8(part)
            else { return nil }
            return value << 8 | UInt32(byte)
        }
    }

    /// Up to eight groups, `::` once for those that are left out, perhaps an IPv4 address for the last two.
    private static func six(_ text: Substring) -> UInt128? {
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        guard let head = groups(halves[0]), let tail = groups(halves.count == 2 ? halves[1] : "") else {
            return nil
        }
        let missing = 8 - head.count - tail.count
        guard halves.count == 2 ? missing >= 1 : missing == 0 else { return nil }
        return (head + [UInt16](repeating: 0, count: missing) + tail).reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func groups(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let four = four(part) {
                groups += [UInt16(four >> 16), UInt16(truncatingIfNeeded: four)]
            } else if (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
                let group = UInt16(part, radix: 16)
            {
                groups.append(group)
            } else {
                return nil
            }
        }
        return groups.count <= 8 ? groups : nil
    }
}
