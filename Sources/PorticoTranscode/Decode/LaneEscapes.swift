// Escapes in the fast lane, all of them but surrogate pairs on one path: text that is full of escapes has nothing to predict
// them by, and a wrong guess costs more than everything here. Worked example, `\u00e9`:
//
//     the letter is `u`: a scalar of four digits, 0xe9, and six bytes in the JSON (else: the table's scalar, and two)
//     as one byte e9, as two c3 a9, as three e0 83 a9       all three are made
//     0x80 ≤ 0xe9 < 0x800                                   two it is
extension FastLane {
    /// In the tables, of a byte that is no escape or no digit. Shifted as the digits are it stays above any scalar.
    static let none: UInt32 = 0xf_0000

    /// What each byte behind a backslash stands for, then what each is worth as a hexadecimal digit.
    static let escapeTable: [UInt32] =
        (0...255).map { byte in JSONText.byte(behindBackslash: byte).map { UInt32($0) } ?? none }
        + (0...255).map { byte in
            Unicode.Scalar(byte as UInt8).properties.isASCIIHexDigit
                ? UInt32(String(Unicode.Scalar(byte as UInt8)), radix: 16) ?? none : none
        }

    /// Decodes the escape at `at` of the JSON, of which twelve bytes can be read, to `to` of the record.
    /// - Returns: the places behind it; -1: it is none.
    @inline(__always)
    func afterEscape(at: Int, to: Int, in json: Span<UInt8>) -> (at: Int, to: Int) {
        let word = json.uncheckedWord(at: at)
        let letter = unsafe escapes[Int(word &>> 8 & 0xff)]
        let digits = unsafe escapes + 256
        let first = unsafe digits[Int(word &>> 16 & 0xff)] &<< 12 | digits[Int(word &>> 24 & 0xff)] &<< 8
        let last = unsafe digits[Int(word &>> 32 & 0xff)] &<< 4 | digits[Int(word &>> 40 & 0xff)]
        let isUnicode = word & 0xffff == 0x755c  // `\u`
        // A choice by mask: the compiler would make a branch of `?:`, because one side has loads.
        let scalar = letter ^ (letter ^ (first | last)) & (isUnicode ? .max : 0)
        guard word & 0xff == 0x5c, scalar < Self.none, scalar & 0xf800 != 0xd800 else {
            return afterRareEscape(at: at, to: to, in: json)
        }
        let tail = 0x80 | scalar & 0x3f
        let two = 0xc0 | scalar &>> 6 | tail &<< 8
        let three = 0xe0 | scalar &>> 12 | (0x80 | scalar &>> 6 & 0x3f) &<< 8 | tail &<< 16
        let (isTwo, isThree) = (scalar >= 0x80, scalar >= 0x800)
        store(UInt64(isThree ? three : isTwo ? two : scalar), at: to)
        return (at &+ (isUnicode ? 6 : 2), to &+ 1 &+ (isTwo ? 1 : 0) &+ (isThree ? 1 : 0))
    }

    /// Surrogate pairs. Out of line, so that the lane's places stay in registers.
    /// - Returns: the places behind it; -1: it is no escape.
    @inline(never)
    private func afterRareEscape(at: Int, to: Int, in json: Span<UInt8>) -> (at: Int, to: Int) {
        guard unsafe json[unchecked: at] == UInt8(ascii: "\\"),
            let escape = try? JSONText.escape(at: at, in: json)
        else { return (-1, to) }
        let (bytes, length) = JSONText.utf8(of: escape.scalar)
        store(UInt64(bytes), at: to)
        return (at &+ escape.length, to &+ length)
    }
}
