// Text eight bytes at a time. A word holds bytes `offset…offset+7`, the first in its lowest byte, so that "the first
// byte that …" is the lowest set bit of a mask. Worked example, looking for the end of the string `abc"`:
//
//     byte     a    b    c    "    (zero past the end)
//     word     61   62   63   22   00   00   00   00      (lowest byte first)
//     mask     00   00   00   80   80   80   80   80      → 24 trailing zero bits → byte 3

extension Span where Element == UInt8 {
    /// Eight bytes from `offset` on, the first lowest; zero past the end. `offset` may lie past the end, not before 0.
    func word(at offset: Int) -> UInt64 {
        offset &+ 8 <= count ? uncheckedWord(at: offset) : lastWord(at: offset)
    }

    /// Eight bytes from `offset` on, the first lowest; the caller has made sure that they are there.
    /// Put together from eight checked bytes, Star Wars was decoded at 1.8 GB/s in place of 2.2.
    @inline(__always)  // one load: called, it would be dearer than what it does
    func uncheckedWord(at offset: Int) -> UInt64 {
        unsafe UInt64(
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
    @inline(__always)  // a constant
    init(repeatingByte byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The high bit of each byte that ends a plain run of a JSON string: `"`, `\`, a control character or a byte of a
    /// multi-byte sequence. Exact up to the first such byte; bytes above it may be marked in error (a borrow runs
    /// upwards), so only the lowest mark counts.
    @inline(__always)  // nine instructions in the loop that copies strings
    var stringSpecials: UInt64 {
        let ones = UInt64(repeatingByte: 0x01)
        // Below 0x80, a byte less one reaches the high bit only from 0: where the byte sought was.
        let quote = (self ^ UInt64(repeatingByte: UInt8(ascii: "\""))) &- ones
        let backslash = (self ^ UInt64(repeatingByte: UInt8(ascii: "\\"))) &- ones
        let control = self &- UInt64(repeatingByte: 0x20)
        return (quote | backslash | control | self) & UInt64(repeatingByte: 0x80)
    }

    /// The high bit of each byte that is none of JSON's four spaces; exact in every byte.
    var nonSpaces: UInt64 {
        let blank = highBitsUnlessZero(self ^ UInt64(repeatingByte: 0x20))
        let newline = highBitsUnlessZero(self ^ UInt64(repeatingByte: 0x0a))
        let carriageReturn = highBitsUnlessZero(self ^ UInt64(repeatingByte: 0x0d))
        let tab = highBitsUnlessZero(self ^ UInt64(repeatingByte: 0x09))
        return blank & newline & carriageReturn & tab & UInt64(repeatingByte: 0x80)
    }

    @inline(__always)
    private func highBitsUnlessZero(_ word: UInt64) -> UInt64 {
        (word & UInt64(repeatingByte: 0x7f)) &+ UInt64(repeatingByte: 0x7f) | word
    }

    /// Index of the lowest marked byte of a mask of high bits; 8: none.
    @inline(__always)
    var firstMarkedByte: Int { trailingZeroBitCount &>> 3 }
}
