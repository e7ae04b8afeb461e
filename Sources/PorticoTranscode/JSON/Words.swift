// Text eight bytes at a time. A word holds bytes `offset…offset+7`, the first in its lowest byte, so that "the first
// byte that …" is the lowest set bit of a mask. Worked example, looking for the end of the string `abc"`:
//
//     byte     a    b    c    "    (zero past the end)
//     word     61   62   63   22   00   00   00   00      (lowest byte first)
//     mask     00   00   00   80   80   80   80   80      → 24 trailing zero bits → byte 3

extension Span where Element == UInt8 {
    /// Eight bytes from `offset` on, the first lowest; zero past the end. `offset` may lie past the end, not before 0.
    func word(at offset: Int) -> UInt64 {
        guard offset &+ 8 <= count else { return lastWord(at: offset) }
        // Unchecked, and guarded above: one load instead of eight. Its gain is still to be measured (issue 4).
        return unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    private func lastWord(at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var index = offset
        while index < count {
            word |= UInt64(self[index]) << shift
            shift += 8
            index += 1
        }
        return word
    }

    /// The byte at `offset`, or 0 past the end: 0 is no part of JSON's grammar, so callers need no other check.
    func byte(at offset: Int) -> UInt8 { offset < count ? self[offset] : 0 }
}

extension UInt64 {
    /// The same byte eight times.
    init(repeatingByte byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The high bit of each byte that ends a plain run of a JSON string: `"`, `\`, a control character or a byte of a
    /// multi-byte sequence. Exact up to the first such byte; bytes above it may be marked in error (a borrow runs
    /// upwards), so only the lowest mark counts.
    var stringSpecials: UInt64 {
        let ones = UInt64(repeatingByte: 0x01)
        let quote = self ^ UInt64(repeatingByte: UInt8(ascii: "\""))
        let backslash = self ^ UInt64(repeatingByte: UInt8(ascii: "\\"))
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        let isControl = (self &- UInt64(repeatingByte: 0x20)) & ~self
        return (isQuote | isBackslash | isControl | self) & UInt64(repeatingByte: 0x80)
    }

    /// Index of the lowest marked byte of a mask of high bits.
    var firstMarkedByte: Int { trailingZeroBitCount &>> 3 }
}
