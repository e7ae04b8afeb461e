// Text sixteen bytes at a time, where that many are left: SSE2 and NEON, both part of every machine Swift runs on, take the
// block in one instruction each. Worked example, looking for the end of `Leia Organa","hei`:
//
//     block    L  e  i  a     O  r  g  a  n  a  "  ,  "  h  e
//     marks    0  0  0  0  0  0  0  0  0  0  0  1  0  1  0  0     bit 0 first: 0b0010_1000_0000_0000
//              eleven zero bits below the lowest one               → byte 11

#if arch(x86_64)
    internal import _Builtin_intrinsics.intel.sse2
#endif

/// Which bytes of a block have what was looked for: bit 0 is the first byte's.
struct BlockMarks: Equatable {
    let bits: UInt32

    @inline(__always)  // one instruction on x86
    init(_ mask: SIMDMask<SIMD16<Int8>>) {
        self.init(highBits: unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self))
    }

    /// The highest bit of each byte.
    @inline(__always)  // one instruction on x86
    init(highBits block: SIMD16<UInt8>) {
        #if arch(x86_64)
            // Swift alone has no way to this instruction; the block's two 64-bit halves, looked at one after the other, take
            // more of them.
            let signs = unsafe _mm_movemask_epi8(unsafeBitCast(block, to: SIMD2<Int64>.self))
            bits = UInt32(truncatingIfNeeded: signs)
        #else
            bits = Self.gathered(block)
        #endif
    }

    /// The same without an instruction for it: of each eight bytes the highest bits, moved together by a multiplication.
    static func gathered(_ block: SIMD16<UInt8>) -> UInt32 {
        let halves = unsafe unsafeBitCast(block, to: SIMD2<UInt64>.self)
        return UInt32(truncatingIfNeeded: gathered(halves.x) | gathered(halves.y) &<< 8)
    }

    private static func gathered(_ half: UInt64) -> UInt64 {
        ((half.littleEndian &>> 7 & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
    }

    /// No byte is marked.
    @inline(__always)
    var isEmpty: Bool { bits == 0 }

    /// Index of the first marked byte; 16: none.
    @inline(__always)
    var first: Int { (bits | 1 &<< 16).trailingZeroBitCount }
}

extension Span where Element == UInt8 {
    /// Sixteen bytes from `offset` on; the caller has made sure that they are there.
    /// Put together from sixteen checked bytes, Star Wars was decoded at 0.45 GB/s in place of 2.2.
    @inline(__always)  // one load: called, it would be dearer than what it does
    func uncheckedBlock(at offset: Int) -> SIMD16<UInt8> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    }
}

// Compared with blocks of one byte, not with the byte: the standard library has instructions for the one, a loop for the other.
extension SIMD16<UInt8> {
    /// Bytes that end a run of a JSON string's text: `"`, `\` and control characters.
    @inline(__always)  // six instructions in the loop that marks strings
    var stringEnds: BlockMarks {
        // With its second bit turned the quote, 22, is 20 and lies just above the control characters, which stay among
        // themselves; the space becomes 22, the exclamation mark 23.
        let quotesLow = self ^ Self(repeating: 0x02)
        let backslash = Self(repeating: UInt8(ascii: "\\"))
        return BlockMarks((quotesLow .< Self(repeating: 0x21)) .| (self .== backslash))
    }

    /// Bytes that are none of JSON's four spaces.
    @inline(__always)  // eight instructions in the loop that steps over white space
    var nonSpaces: BlockMarks {
        let (space, newline) = (Self(repeating: 0x20), Self(repeating: 0x0a))
        let (carriageReturn, tab) = (Self(repeating: 0x0d), Self(repeating: 0x09))
        let common = (self .== space) .| (self .== newline)
        return BlockMarks(.!(common .| (self .== carriageReturn) .| (self .== tab)))
    }

    /// Bytes that belong to multi-byte sequences.
    @inline(__always)  // one instruction on x86
    var highBits: BlockMarks { BlockMarks(highBits: self) }

    /// Whether a byte belongs to a multi-byte sequence.
    @inline(__always)
    var hasNonASCII: Bool { !highBits.isEmpty }
}
