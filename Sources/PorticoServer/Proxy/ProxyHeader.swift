package import PorticoEventLoop
import PorticoWire

/// Reads what a load balancer sends in front of a client's bytes: PROXY protocol, version 2 (HAProxy's
/// proxy-protocol.txt, section 2.2), in pieces of any size.
///
/// `0d0a0d0a000d0a515549540a 21 11 000c c0000201 0a000001 d431 1ce8`: the signature; 0x21 is version 2 << 4 | PROXY;
/// 0x11 is IPv4 << 4 | a stream; 12 bytes follow, source and destination 192.0.2.1 and 10.0.0.1, then their ports,
/// 54321 and 7400. What follows the addresses (type-length-values) is passed over.
package struct ProxyHeader: Equatable, Sendable {
    package enum Fault: Error, Equatable, Sendable {
        case noSignature
        /// Neither version 2 with LOCAL nor with PROXY.
        case unknownCommand(UInt8)
        /// Too short for the addresses of its family.
        case lengthTooSmall(declared: Int)
    }

    package static let signature: [UInt8] = [
        0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
    ]
    private static let fixedBytes = 16
    /// The longest addresses that are used are IPv6's: two times 16 bytes and two ports.
    private static let longestBytes = fixedBytes + 36

    /// The header's beginning; what is behind the addresses is only counted.
    private var kept: [UInt8] = []
    private var count = 0

    package init() {}

    /// Nothing of it has come.
    var isEmpty: Bool { count == 0 }

    /// - Parameter offset: where to go on in `piece`; moved behind what was used.
    /// - Returns: nil until the header is whole; ``PeerAddress/unnamed`` when it names nobody, as health checks do.
    package mutating func next(
        in piece: Span<UInt8>, from offset: inout Int
    ) throws(Fault) -> PeerAddress? {
        while offset < piece.count, count < Self.fixedBytes {
            keep(piece[offset])
            offset += 1
            try checkFixedPart()
        }
        guard count >= Self.fixedBytes else { return nil }
        let whole = Self.fixedBytes + declared
        while offset < piece.count, count < min(whole, Self.longestBytes) {
            keep(piece[offset])
            offset += 1
        }
        let passed = min(piece.count - offset, whole - count)
        count += passed
        offset += passed
        return count == whole ? source : nil
    }

    private mutating func keep(_ byte: UInt8) {
        kept.append(byte)
        count += 1
    }

    private var declared: Int { Int(kept[14]) << 8 | Int(kept[15]) }

    /// At each byte, so that whoever speaks something else is not waited for.
    private func checkFixedPart() throws(Fault) {
        switch count {
        case 1...12: guard kept[count - 1] == Self.signature[count - 1] else { throw .noSignature }
        case 13: guard kept[12] == 0x20 || kept[12] == 0x21 else { throw .unknownCommand(kept[12]) }
        case 16: guard declared >= addressBytes else { throw .lengthTooSmall(declared: declared) }
        default: break
        }
    }

    private var isLocal: Bool { kept[12] == 0x20 }

    /// Of families and transports that are not used the addresses are passed over.
    private var addressBytes: Int {
        if isLocal { return 0 }
        return switch kept[13] {
        case 0x11: 12
        case 0x21: 36
        default: 0
        }
    }

    private var source: PeerAddress {
        func integer(_ at: Int, _ width: Int) -> UInt64 { kept.span.bigEndian(at: at, width: width) }
        return switch addressBytes {
        case 12: .ipv4(UInt32(integer(16, 4)), port: UInt16(integer(24, 2)))
        case 36: .ipv6(high: integer(16, 8), low: integer(24, 8), port: UInt16(integer(48, 2)))
        default: .unnamed
        }
    }
}
