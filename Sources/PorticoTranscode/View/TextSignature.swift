/// The first and the last eight bytes of a text and its length: all there is of one of up to 16 bytes, so
/// that most keys are compared and hashed without a loop.
///
/// `green, yellow` (13 bytes) has the first word `green, y` and the last word `, yellow`; `blue` has `blue`
/// and four zero bytes, and an empty last word.
struct TextSignature: Equatable {
    let first: UInt64
    let last: UInt64
    let count: UInt32
    /// Of the whole text.
    let hash: UInt64

    /// Of no text: what a free place in a table holds.
    init() { (first, last, count, hash) = (0, 0, 0, 0) }

    /// Inlined as its caller, ``CodedKeys``, is.
    @inline(__always)
    init(_ text: ByteRange, in bytes: Span<UInt8>) {
        let (start, end) = (text.range.lowerBound, text.range.upperBound)
        count = text.count
        if text.count <= 8 {
            first = bytes.word(at: start, count: Int(text.count))
            last = 0
        } else {
            first = bytes.word(at: start)
            last = bytes.word(at: end - 8)
        }
        var hash = KeyHash.mixed(first ^ last.byteSwapped &+ UInt64(text.count))
        if text.count > 16 { hash = KeyHash.mixed(hash, bytes: start + 8..<end - 8, of: bytes) }
        self.hash = hash
    }

    /// Equal signatures mean equal texts.
    var isWhole: Bool { count <= 16 }
}

enum KeyHash {
    /// A multiplication by 2^64/φ (odd), its high half folded onto the low one, which picks the slot. Not
    /// seeded, so that runs are alike.
    static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    /// Mixes in the words that begin in a range.
    @inline(never)
    static func mixed(_ hash: UInt64, bytes range: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
        stride(from: range.lowerBound, to: range.upperBound, by: 8).reduce(hash) { hash, offset in
            mixed(hash ^ bytes.word(at: offset))
        }
    }
}
