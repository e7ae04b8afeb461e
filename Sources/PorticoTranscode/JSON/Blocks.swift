// Text sixteen bytes at a time, where that many are left: SSE2 and NEON, both part of every machine Swift runs on, take the
// block in one instruction each. Worked example, looking for the end of `Leia Organa","hei`:
//
//     block    L  e  i  a     O  r  g  a  n  a  "  ,  "  h  e
//     marks    00 00 00 00 00 00 00 00 00 00 00 ff 00 ff 00 00
//              low = 0, high = 0x0000_ff00_ff00_0000      → 8 + 24 / 8 = byte 11

/// Which bytes of a block have what was looked for: all ones in those, zero in the others.
struct BlockMarks {
    let low: UInt64
    let high: UInt64

    init(_ mask: SIMDMask<SIMD16<Int8>>) {
        // The same sixteen bytes, seen as two words.
        let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        (low, high) = (UInt64(littleEndian: words.x), UInt64(littleEndian: words.y))
    }

    /// No byte is marked.
    @inline(__always)
    var isEmpty: Bool { low | high == 0 }

    /// Index of the first marked byte; 16: none. Without a branch, which would be wrong as often as not: a word without a
    /// mark has 64 trailing zeros, and only then does the other one count.
    @inline(__always)
    var first: Int {
        let zeros = low.trailingZeroBitCount
        return zeros &>> 3 &+ (high.trailingZeroBitCount &>> 3) & (0 &- zeros &>> 6)
    }
}

extension Span where Element == UInt8 {
    /// Sixteen bytes from `offset` on; the caller has made sure that they are there.
    @inline(__always)  // one load: called, it would be dearer than what it does
    func uncheckedBlock(at offset: Int) -> SIMD16<UInt8> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}

// Compared with blocks of one byte, not with the byte: the standard library has instructions for the one, a loop for the other.
extension SIMD16<UInt8> {
    /// Bytes that end a run of a JSON string's text: `"`, `\` and control characters.
    @inline(__always)  // six instructions in the loop that copies strings
    var stringEnds: BlockMarks {
        let (quote, backslash) = (Self(repeating: UInt8(ascii: "\"")), Self(repeating: UInt8(ascii: "\\")))
        return BlockMarks((self .== quote) .| (self .== backslash) .| (self .< Self(repeating: 0x20)))
    }

    /// Bytes that are none of JSON's four spaces.
    @inline(__always)  // eight instructions in the loop that steps over white space
    var nonSpaces: BlockMarks {
        let (space, newline) = (Self(repeating: 0x20), Self(repeating: 0x0a))
        let (carriageReturn, tab) = (Self(repeating: 0x0d), Self(repeating: 0x09))
        let common = (self .== space) .| (self .== newline)
        return BlockMarks(.!(common .| (self .== carriageReturn) .| (self .== tab)))
    }

    /// Whether a byte belongs to a multi-byte sequence.
    @inline(__always)
    var hasNonASCII: Bool {
        let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
        return (words.x | words.y) & UInt64(repeatingByte: 0x80) != 0
    }
}
