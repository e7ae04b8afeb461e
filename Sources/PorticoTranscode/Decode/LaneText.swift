import PorticoWire

// Strings in the fast lane: a word is loaded, stored, and then looked at. Worked example, `Ren\u00e9e Жук"` behind the
// opening quote:
//
//     load `Ren\u00e9`, store it; the backslash is byte 3     three bytes are text: 52 65 6e
//     `\u00e9` is U+00E9, stored over the rest               52 65 6e c3 a9
//     load `e Жук"`, store it; the quote is byte 8 of it      … 65 20 d0 96 d1 83 d0 ba
//     a high bit was seen: the whole text is checked once     UTF-8, done
//
// Escapes become whole sequences, so the text is UTF-8 exactly if what stood between them is.
extension FastLane {
    /// Copies the string here behind its tag and length.
    @inline(__always)  // with the lane, of which it is a part
    mutating func readText(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "\"") else { return false }
        store(key.tag, at: to)
        let start = to &+ key.tagLength &+ 1
        (at, to) = (at &+ 1, start)
        guard copyText(from: start, in: json) else { return false }
        let length = to &- start
        if length < 0x80 {
            unsafe record[start &- 1] = UInt8(truncatingIfNeeded: length)
        } else {
            to = widenLength(of: start..<to)
        }
        return true
    }

    /// Copies up to the closing quote, and steps over that. False: not valid, or the input ends too near.
    @inline(__always)
    private mutating func copyText(from start: Int, in json: Span<UInt8>) -> Bool {
        var high: UInt64 = 0
        while at &+ 8 <= json.count {
            let word = json.uncheckedWord(at: at)
            store(word, at: to)
            let ends = word.stringEnds
            guard ends != 0 else {
                high |= word
                at &+= 8
                to &+= 8
                continue
            }
            high |= word & (ends & (0 &- ends) &- 1)
            at &+= ends.firstMarkedByte
            to &+= ends.firstMarkedByte
            if byte(in: json) == UInt8(ascii: "\"") {
                at &+= 1
                return high & UInt64(repeatingByte: 0x80) == 0 || isUTF8(start..<to)
            }
            (at, to) = afterEscape(in: json)
            if at < 0 { return false }
        }
        return false
    }

    /// Decodes the escape here. Out of line, and not `mutating`, so that the lane's places stay in registers.
    /// - Returns: the places behind it; -1: it is none.
    @inline(never)
    private func afterEscape(in json: Span<UInt8>) -> (at: Int, to: Int) {
        guard byte(in: json) == UInt8(ascii: "\\") else { return (-1, to) }
        let plain = unsafe escapes[Int(json.byte(at: at &+ 1))]
        if plain != 0 {
            unsafe record[to] = plain
            return (at &+ 2, to &+ 1)
        }
        guard let escape = try? JSONText.escape(at: at, in: json) else { return (-1, to) }
        let (bytes, length) = JSONText.utf8(of: escape.scalar)
        store(UInt64(bytes), at: to)
        return (at &+ escape.length, to &+ length)
    }

    /// One look at a byte each, whatever it is: text in changing scripts would make branches guess wrong at every other
    /// character (the hostile corpus ran at 240 MB/s with them).
    @inline(never)
    private func isUTF8(_ text: Range<Int>) -> Bool {
        var state = UTF8States.start
        let rows = unsafe states
        for index in text { unsafe state = rows[Int(record[index])] &>> (state & 63) }
        return state & 63 == UTF8States.start
    }

    /// Makes room for a length that needs more than the byte set aside, and writes it.
    /// - Returns: where the text ends then.
    @inline(never)
    private func widenLength(of text: Range<Int>) -> Int {
        let width = ProtobufWidth.ofVarint(text.count)
        let start = text.lowerBound &+ width &- 1
        unsafe (record + start).update(from: record + text.lowerBound, count: text.count)
        var rest = text.count
        for index in text.lowerBound &- 1..<start {
            unsafe record[index] = UInt8(truncatingIfNeeded: rest) | (index < start &- 1 ? 0x80 : 0)
            rest &>>= 7
        }
        return text.upperBound &+ width &- 1
    }

    /// Copies the list of strings here.
    @inline(__always)
    mutating func readTexts(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "[") else { return false }
        at &+= 1
        skipSpace(in: json)
        guard byte(in: json) != UInt8(ascii: "]") else {
            at &+= 1
            return true
        }
        while hasReach(in: json), readText(key, in: json) {
            guard at < json.count else { return false }
            skipSpace(in: json)
            let byte = byte(in: json)
            at &+= 1
            if byte == UInt8(ascii: "]") { return true }
            guard byte == UInt8(ascii: ","), at < json.count else { return false }
            skipSpace(in: json)
        }
        return false
    }
}
