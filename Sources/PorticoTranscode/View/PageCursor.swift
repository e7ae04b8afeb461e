/// Where a page ended: how many items there were up to and with its last one, and that one's fingerprint. As text
/// both in base 36: `a.1y2p0ij32e8e7` stands behind the tenth.
///
/// While the data stay the same, the position alone finds the place. When items came or went before it, the
/// fingerprint does.
struct PageCursor: Equatable {
    let position: Int
    let fingerprint: UInt64

    init(position: Int, fingerprint: UInt64) {
        self.position = position
        self.fingerprint = fingerprint
    }

    /// Nil: no cursor of ours.
    init?(_ text: [UInt8]) {
        let parts = String(decoding: text, as: UTF8.self).split(separator: ".")
        guard parts.count == 2, let position = Int(parts[0], radix: 36), position > 0,
            let fingerprint = UInt64(parts[1], radix: 36)
        else { return nil }
        self.init(position: position, fingerprint: fingerprint)
    }

    var text: String { String(position, radix: 36) + "." + String(fingerprint, radix: 36) }

    /// The first item of the next page. If the last one seen is gone, or was changed, the position has to do.
    /// - Parameter item: fingerprint of an item now.
    func next(among count: Int, fingerprintOf item: (Int) -> UInt64) -> Int {
        if position <= count, item(position - 1) == fingerprint { return position }
        let found = (0..<count).first { item($0) == fingerprint }
        return found.map { $0 + 1 } ?? min(position, count)
    }
}

extension Span<UInt8> {
    /// A 64-bit hash of some bytes, the same in every run.
    func fingerprint(_ range: Range<Int>) -> UInt64 {
        var hash = KeyHash.mixed(UInt64(range.count))
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            hash = KeyHash.mixed(hash ^ word(at: offset, count: Swift.min(8, range.upperBound - offset)) &+ 1)
        }
        return hash
    }
}

extension GroupKey {
    /// As ``Swift/Span/fingerprint(_:)``.
    var fingerprint: UInt64 {
        switch self {
        case .text(let text): text.span.fingerprint(0..<text.count)
        case .number(_, let rank): KeyHash.mixed(rank)
        }
    }
}
