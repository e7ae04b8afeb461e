// Strings are checked and copied in one go: a word is loaded, stored, and then looked at; a run ends where the mask says.
// Worked example, `Yod\u00e9"` behind the opening quote:
//
//     load `Yod\u00e`, store it, mask marks byte 3      three bytes are text: 59 6f 64
//     `\u00e9` is U+00E9                                stored over the rest: 59 6f 64 c3 a9
//     load `"`, store it, mask marks byte 0             a quote: done, five bytes
extension RecordReader {
    /// Copies the text of the string here, decoded; a number gives its own text.
    mutating func readText(in json: Span<UInt8>) throws(ReadingFault) {
        switch cursor.peek(in: json) {
        case UInt8(ascii: "\""): try copyString(in: json)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try cursor.number(in: json)
            out.reserve(number.count)
            for index in number { out.append(json[index]) }
        default: throw try misfit(.string, in: json)
        }
    }

    /// The cursor stands at the opening quote.
    mutating func copyString(in json: Span<UInt8>) throws(ReadingFault) {
        var from = cursor.offset &+ 1
        var to = out.count
        while true {
            let word = json.word(at: from)
            out.reserve(16, behind: to)
            out.store(word, at: to)
            let specials = word.stringSpecials
            guard specials != 0 else {
                from &+= 8
                to &+= 8
                continue
            }
            from &+= specials.firstMarkedByte
            to &+= specials.firstMarkedByte
            guard from < json.count else { throw ReadingFault(.unexpectedEnd, at: json.count) }
            switch json[from] {
            case UInt8(ascii: "\""):
                cursor.offset = from &+ 1
                return out.advance(to: to)
            case UInt8(ascii: "\\"):
                let escape = try JSONText.escape(at: from, in: json)
                let (bytes, length) = JSONText.utf8(of: escape.scalar)
                out.store(UInt64(bytes), at: to)
                from &+= escape.length
                to &+= length
            case let byte where byte < 0x20: throw ReadingFault(.controlCharacter(byte), at: from)
            default: try copySequences(from: &from, to: &to, in: json)
            }
        }
    }

    /// Copies multi-byte sequences up to the next ASCII byte.
    private mutating func copySequences(
        from: inout Int, to: inout Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        repeat {
            let length = JSONText.sequenceLength(at: from, in: json)
            guard length > 0 else { throw ReadingFault(.invalidUTF8, at: from) }
            out.reserve(16, behind: to)
            out.store(json.word(at: from), at: to)
            from &+= length
            to &+= length
        } while json.byte(at: from) >= 0x80
    }

    /// Decodes the base64 string here: the standard or the URL alphabet, padded or not (RFC 4648 sections 4 and 5).
    mutating func readBytes(in json: Span<UInt8>) throws(ReadingFault) {
        guard cursor.peek(in: json) == UInt8(ascii: "\"") else { throw try misfit(.bytes, in: json) }
        let at = cursor.offset
        let hasEscapes = try cursor.skipString(in: json)
        let inside = at + 1..<cursor.offset - 1
        let isValid: Bool
        if hasEscapes {  // some write `\/` for the alphabet's slash
            let text = try JSONText.unescaped(inside, in: json)
            isValid = decodeBase64(text.indices, in: text.span)
        } else {
            isValid = decodeBase64(inside, in: json)
        }
        guard isValid else { throw ReadingFault(.notBase64, at: at) }
    }

    private mutating func decodeBase64(_ range: Range<Int>, in text: Span<UInt8>) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let padding = range.upperBound - end
        // Padding, if any, fills up a group of four; a single digit over holds no byte.
        guard padding == 0 || padding <= 2 && range.count % 4 == 0 else { return false }
        guard (end - range.lowerBound) % 4 != 1 else { return false }
        out.reserve(range.count)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for index in range.lowerBound..<end {
            guard let digit = Base64.digit(text[index]) else { return false }
            bits = bits << 6 | digit
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return true
    }
}
