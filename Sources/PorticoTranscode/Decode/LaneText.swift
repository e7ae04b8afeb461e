import PorticoWire

// Strings in the fast lane: a block of sixteen bytes is loaded, stored, and then looked at. Worked example,
// `Ren\u00e9e Жук"` behind the opening quote:
//
//     load `Ren\u00e9e Ж…`, store it; the backslash is byte 3      three bytes are text: 52 65 6e
//     `\u00e9` is U+00E9, stored over the rest                    52 65 6e c3 a9
//     load `e Жук",…`, store it; the quote is byte 8               … 65 20 d0 96 d1 83 d0 ba
//     a high bit was seen: the whole text is checked once          UTF-8, done
//
// Escapes become whole sequences, so the text is UTF-8 exactly if what stood between them is.
extension FastLane {
    /// Copies what is left of a string, escapes and all, up to its closing quote.
    /// - Parameter start: where its text begins in the record.
    /// - Returns: the place of the quote, and that behind the text; -1: not valid, or the input or the room ends too near.
    // Out of line: escapes are rare, or everywhere; either way the loop of plain texts is better off without them.
    @inline(never)
    func afterText(from: Int, to: Int, start: Int, in json: Span<UInt8>) -> (from: Int, to: Int) {
        // What was copied before has not been looked at.
        var seen = SIMD16<UInt8>(repeating: to == start ? 0 : 0x80)
        var (at, to) = (from, to)
        // A block, and the longest escape behind its last byte.
        while at &+ 32 <= json.count, hasRoom(at: to) {
            let block = json.uncheckedBlock(at: at)
            store(block, at: to)
            let ends = block.stringEnds
            seen |= block
            // Guessed, not added up: long texts need not wait for the length of each block.
            guard !ends.isEmpty else {
                at &+= 16
                to &+= 16
                continue
            }
            at &+= ends.first
            to &+= ends.first
            if unsafe json[unchecked: at] == UInt8(ascii: "\"") {
                return !seen.hasNonASCII || isUTF8(start..<to) ? (at, to) : (-1, to)
            }
            (at, to) = afterEscape(at: at, to: to, in: json)
            if at < 0 { return (-1, to) }
        }
        return (-1, to)
    }

    /// Words of ASCII are passed over. In others one look at a byte each, whatever it is: text in changing scripts would
    /// make branches guess wrong at every other character. The zeros behind the text are ASCII, so that they change nothing
    /// but refuse what breaks off.
    @inline(never)
    func isUTF8(_ text: Range<Int>) -> Bool {
        store(0, at: text.upperBound)
        let rows = unsafe states
        var state = UTF8States.start
        var at = text.lowerBound
        while at < text.upperBound {
            while at &+ 16 <= text.upperBound, state & 63 == UTF8States.start, isASCII(at) { at &+= 16 }
            let word = unsafe UnsafeRawPointer(record + at).loadUnaligned(as: UInt64.self)
            if word & UInt64(repeatingByte: 0x80) | (state ^ UTF8States.start) & 63 != 0 {
                for shift in stride(from: 0, to: 64, by: 8) as StrideTo<UInt64> {
                    unsafe state =
                        rows[Int(truncatingIfNeeded: word.littleEndian &>> shift & 0xff)] &>> (state & 63)
                }
            }
            at &+= 8
        }
        return state & 63 == UTF8States.start
    }

    /// Copies the string here behind its tag and length.
    @inline(__always)  // with the field, of which it is a part
    mutating func readText(
        _ key: UnsafePointer<LaneKey>, _ texts: MarkedTexts, in json: Span<UInt8>
    ) -> Bool {
        guard byte(in: json) == UInt8(ascii: "\"") else { return false }
        let tag = to
        unsafe store(key.pointee.tag, at: tag)
        let start = unsafe tag &+ key.pointee.tagLength &+ 1
        (at, to) = afterLongText(from: at &+ 1, to: start, texts, in: json)
        guard at >= 0 else { return false }
        at &+= 1
        finishLength(of: start)
        // Left out when empty.
        if unsafe to == start && key.pointee.step == .text { to = tag }
        return true
    }

    /// Copies the string that begins here, however long, up to its closing quote: by its marks as far as it is plain.
    /// - Returns: as ``afterText(from:to:start:in:)``.
    @inline(never)  // its loop needs all registers
    private func afterLongText(
        from: Int, to start: Int, _ texts: MarkedTexts, in json: Span<UInt8>
    ) -> (from: Int, to: Int) {
        var seen = SIMD16<UInt8>()
        var (at, to) = (from, start)
        while texts.reachesText(at), hasRoom(at: to) {
            let length = texts.plainLength(at: at)
            seen |= copyBlocks(at: at, to: to, in: json)
            // Guessed, not added up: long texts need not wait for each look.
            if length > Self.shortText {
                at &+= Self.shortText
                to &+= Self.shortText
                continue
            }
            let end = at &+ length
            guard unsafe json[unchecked: end] == UInt8(ascii: "\"") else { break }
            to &+= length
            return !seen.hasNonASCII || isUTF8(start..<to) ? (end, to) : (-1, to)
        }
        return afterText(from: at, to: to, start: start, in: json)
    }

    /// Whether the sixteen bytes at this place of the record are.
    @inline(__always)  // a part of the loop
    private func isASCII(_ place: Int) -> Bool {
        let block = unsafe UnsafeRawPointer(record + place).loadUnaligned(as: SIMD16<UInt8>.self)
        return !block.hasNonASCII
    }

    /// Copies the element of a list here behind its tag and length.
    @inline(__always)  // with the list, of which it is a part
    private mutating func readElement(_ key: UnsafePointer<LaneKey>, in json: Span<UInt8>) -> Bool {
        unsafe store(key.pointee.tag, at: to)
        let start = unsafe to &+ key.pointee.tagLength &+ 1
        (at, to) = afterText(from: at &+ 1, to: start, start: start, in: json)
        guard at >= 0 else { return false }
        at &+= 1
        finishLength(of: start)
        return true
    }

    /// Copies the list of strings here, white space around them.
    @inline(never)  // out of the way of what is met more often
    mutating func readTexts(_ key: UnsafePointer<LaneKey>, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "[") else { return false }
        at &+= 1
        skipSpace(in: json)
        guard byte(in: json) != UInt8(ascii: "]") else {
            at &+= 1
            return true
        }
        while hasReach(in: json), byte(in: json) == UInt8(ascii: "\""),
            unsafe readElement(key, in: json)
        {
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
