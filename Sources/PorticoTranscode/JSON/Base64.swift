/// The alphabets of RFC 4648 sections 4 and 5. `4d 61` is `TWE=`: 010011 010110 0001(00), and a fill to four characters.
enum Base64 {
    /// Nil: in neither alphabet.
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// Appends the standard alphabet, padded.
    static func encode(_ range: Range<Int>, of bytes: Span<UInt8>, into text: inout [UInt8]) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
            let count = min(3, range.upperBound - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
            for index in 0..<4 {
                text.append(
                    index <= count ? character(group >> UInt32(18 - 6 * index) & 0x3f) : UInt8(ascii: "="))
            }
        }
    }

    private static func character(_ digit: UInt32) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + UInt8(digit)
        case 26..<52: UInt8(ascii: "a") + UInt8(digit - 26)
        case 52..<62: UInt8(ascii: "0") + UInt8(digit - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}
