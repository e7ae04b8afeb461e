/// A text of a column: where it lies, and its first and last bytes, which are all there is of one of up to 16
/// bytes. Most texts are coded and compared without a look at the records, which are far apart in memory.
///
/// `green, yellow` (13 bytes) begins with `green, y` and ends with `, yellow`; `blue` begins with `blue` and
/// four zero bytes, and has no ending.
package struct ColumnText: Equatable, Sendable {
    /// In the buffer of the ``Records``.
    package let place: ByteRange
    /// The first eight bytes, the first lowest; zero bytes behind a shorter text.
    let beginning: UInt64
    /// The last eight bytes of a text of more than eight; else zero.
    let ending: UInt64

    package static let missing = ColumnText(place: .missing, beginning: 0, ending: 0)
    package static let empty = ColumnText(place: ByteRange(offset: 0, count: 0), beginning: 0, ending: 0)

    private init(place: ByteRange, beginning: UInt64, ending: UInt64) {
        (self.place, self.beginning, self.ending) = (place, beginning, ending)
    }

    /// - Parameter bytes: the buffer that `place` points into.
    package init(_ place: ByteRange, in bytes: Span<UInt8>) {
        guard !place.isMissing else {
            self = .missing
            return
        }
        let (start, count) = (Int(place.offset), Int(place.count))
        self.init(
            place: place, beginning: bytes.word(at: start, count: min(8, count)),
            ending: count > 8 ? bytes.word(at: start + count - 8) : 0)
    }

    /// A missing one as the empty text.
    var orEmpty: ColumnText { place.isMissing ? .empty : self }

    /// Nothing of the text is in the buffer only.
    @inline(__always)
    var isWhole: Bool { place.count <= 16 }

    /// The `index`th eight bytes, the first lowest; zero bytes behind the end.
    @inline(__always)
    func word(_ index: Int, in bytes: Span<UInt8>) -> UInt64 {
        if index == 0 { return beginning }
        if index == 1, isWhole { return ending &>> UInt64(8 * (16 - Int(place.count))) }
        return bytes.word(at: Int(place.offset) + index * 8, count: min(8, Int(place.count) - index * 8))
    }

    /// Of the whole text; a missing one has that of the empty one.
    @inline(__always)
    func hash(in bytes: Span<UInt8>) -> UInt64 {
        let hash = KeyHash.mixed(beginning ^ ending.byteSwapped &+ UInt64(place.count))
        guard !isWhole else { return hash }
        return KeyHash.mixed(hash, bytes: place.range.dropFirst(8).dropLast(8), of: bytes)
    }

    /// The same bytes; a missing text is the empty one.
    @inline(__always)
    func isEqual(to other: ColumnText, in bytes: Span<UInt8>) -> Bool {
        beginning == other.beginning && place.count == other.place.count && ending == other.ending
            && (isWhole || bytes.isEqual(place.range, other.place.range))
    }
}

enum KeyHash {
    /// A multiplication by 2^64/φ (odd), its high half folded onto the low one, which picks the slot. Not
    /// seeded, so that runs are alike.
    @inline(__always)
    static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    /// Mixes in the words that begin in a range, the last of which may go beyond it.
    @inline(never)
    static func mixed(_ hash: UInt64, bytes range: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
        stride(from: range.lowerBound, to: range.upperBound, by: 8).reduce(hash) { hash, offset in
            mixed(hash ^ bytes.word(at: offset))
        }
    }
}
