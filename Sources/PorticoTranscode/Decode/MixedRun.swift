// The loop beside ``FastLane/textRun(from:_:_:in:)``, for the rest of an object that has more than short texts: longer ones,
// null, bools and numbers of few digits too. Like the other it calls nothing. Worked example, `,"height":66,"note":"…"`:
//
//     ,"height":        the key predicted; its value is no text, so it is read as a number
//     66                bytes xor '0' are 06 06 1c 12 …: two digits; moved up as if six zeros stood before them, they are
//                       added up by pairs, by fours and by eights: 66
//     ,"note":"         a text; there is no mark near, so the marks are followed to its end, for its length goes first
//     12 ac 02 …        300 bytes, copied in blocks of 48
extension FastLane {
    /// Reads the plain values here.
    /// - Parameter start: at a comma, or at the brace before the first key.
    /// - Returns: behind the last of them; `start` itself when there is none.
    @inline(never)
    func mixedRun(
        from start: LaneRun, _ tables: LaneTables, _ marks: MarkedTexts, in json: Span<UInt8>
    ) -> LaneRun {
        var run = start
        while marks.reaches(run.at), hasRoom(at: run.to) {
            let next = Int(unsafe tables.following[run.key])
            guard next >= 0 else { break }
            let key = unsafe tables.keys + next
            guard Self.isKey(unsafe key.pointee, at: run.at &+ 1, in: json) else { break }
            guard
                unsafe run.seen & key.pointee.rivals == 0
                    || LaneTables.notes(key, at: run.to, run.seen, tables.following)
            else { break }
            var value = unsafe LaneRun(
                at: run.at &+ 1 &+ key.pointee.length, to: run.to, key: next, seen: run.seen | key.pointee.bit
            )
            if unsafe UInt16(json[unchecked: value.at]) != key.pointee.opener {
                guard let isSet = unsafe readPlain(key, &value, in: json) else { break }
                if !isSet { value.seen = run.seen }
            } else if unsafe key.pointee.step == .texts {
                guard let end = unsafe copyList(key, at: value.at, to: run.to, marks, in: json) else { break }
                (value.at, value.to) = end
            } else {
                guard unsafe copyText(key, &value, marks, in: json) else { break }
                guard value.unproven == 0 else { return value }
            }
            run = value
            guard unsafe json[unchecked: run.at] == UInt8(ascii: ",") else { break }
        }
        return run
    }

    /// Copies the text here.
    /// - Returns: false: it has escapes, or is too long, for the room too.
    @inline(__always)  // a part of the loop
    private func copyText(
        _ key: UnsafePointer<LaneKey>, _ value: inout LaneRun, _ marks: MarkedTexts, in json: Span<UInt8>
    ) -> Bool {
        let length = unsafe copyShort(key, at: value.at, to: value.to, marks, in: json)
        guard length >= 0 else { return unsafe copyLong(key, &value, marks, in: json) }
        value.at &+= length &+ 2
        // Left out when empty.
        if unsafe length > 0 || key.pointee.step == .explicitText {
            unsafe value.to &+= key.pointee.tagLength &+ 1 &+ length
        }
        return true
    }

    /// Copies the text here, whose tag is written: the marks tell how long it is, before it is copied.
    @inline(__always)  // a part of the loop
    private func copyLong(
        _ key: UnsafePointer<LaneKey>, _ value: inout LaneRun, _ marks: MarkedTexts, in json: Span<UInt8>
    ) -> Bool {
        let from = value.at &+ 1
        var (end, length) = (from, marks.plainLength(at: from))
        while length > Self.shortText {
            end &+= Self.shortText
            guard marks.reaches(end) else { return false }
            length = marks.plainLength(at: end)
        }
        end &+= length
        let count = end &- from
        guard count < 1 &<< 14, hasRoom(at: value.to &+ count),
            unsafe json[unchecked: end] == UInt8(ascii: "\"")
        else { return false }
        // One byte for its length, or two.
        let start = unsafe value.to &+ key.pointee.tagLength
        let text = start &+ (count < 0x80 ? 1 : 2)
        unsafe record[text &- 1] = UInt8(truncatingIfNeeded: count &>> 7)
        unsafe record[start] = UInt8(truncatingIfNeeded: count) & 0x7f | (count < 0x80 ? 0 : 0x80)
        var (at, to, seen) = (from, text, SIMD16<UInt8>())
        while at < end {
            seen |= copyBlocks(at: at, to: to, in: json)
            at &+= Self.shortText
            to &+= Self.shortText
        }
        (value.at, value.to) = (end &+ 1, text &+ count)
        // What follows the quote may have set a high bit: then the text is proved for nothing.
        value.unproven = seen.hasNonASCII ? text : 0
        return true
    }
}

/// Values that are no texts.
extension FastLane {
    /// Reads the value here, which is no text where one is expected, and writes it with its tag.
    /// - Returns: whether the field is set, which null does not; nil: not plain.
    @inline(__always)  // a part of the loop
    private func readPlain(
        _ key: UnsafePointer<LaneKey>, _ value: inout LaneRun, in json: Span<UInt8>
    ) -> Bool? {
        let word = json.uncheckedWord(at: value.at)
        if word & 0xffff_ffff == 0x6c6c_756e {  // "null"
            guard unsafe key.pointee.step != .careful else { return nil }
            value.at &+= 4
            return false
        }
        guard unsafe key.pointee.step == .number || key.pointee.step == .explicitNumber,
            let (bits, length) = unsafe Self.plainBits(key.pointee.kind, word, value.at, in: json)
        else { return nil }
        value.at &+= length
        guard unsafe bits != 0 || key.pointee.step == .explicitNumber else { return true }
        var lane = self
        lane.to = value.to
        unsafe lane.write(bits, for: key)
        value.to = lane.to
        return true
    }

    /// What protobuf stores for the number or bool here, and how many bytes it has in the JSON; nil: not plain.
    @inline(__always)  // a part of the run's loop
    private static func plainBits(
        _ kind: ValueKind, _ word: UInt64, _ at: Int, in json: Span<UInt8>
    ) -> (bits: UInt64, length: Int)? {
        if kind == .bool {
            if word & 0xffff_ffff == 0x6575_7274 { return (1, 4) }  // "true"
            return word & 0xff_ffff_ffff == 0x65_736c_6166 ? (0, 5) : nil  // "false"
        }
        let (whole, count) = digits(word)
        // Of several digits the first is no zero.
        guard count > 0, count < 8, count == 1 || word & 0xff != 0x30 else { return nil }
        let next = unsafe json[unchecked: at &+ count]
        if next == UInt8(ascii: ","), kind != .double {
            switch kind {
            case .int32, .int64, .uint32, .uint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
                return (whole, count)
            case .sint32, .sint64: return (whole &<< 1, count)
            case .double, .float, .bool, .string, .bytes, .message, .enumeration: return nil
            }
        }
        guard kind == .double, next == UInt8(ascii: ".") else { return nil }
        let (fraction, places) = digits(json.uncheckedWord(at: at &+ count &+ 1))
        let length = count &+ 1 &+ places
        guard places > 0, places < 8, unsafe json[unchecked: at &+ length] == UInt8(ascii: ",") else {
            return nil
        }
        // Both operands have less than sixteen digits: exact, so this rounds once.
        let power = power(places)
        return (((Double(whole) * power + Double(fraction)) / power).bitPattern, length)
    }

    /// The number that the digits at the word's beginning make, and how many they are.
    @inline(__always)  // a part of the run's loop
    private static func digits(_ word: UInt64) -> (value: UInt64, count: Int) {
        let digits = word ^ UInt64(repeatingByte: 0x30)
        // Above nine a byte and 0x76 reach the high bit; exact up to the first such byte.
        let others = (digits &+ UInt64(repeatingByte: 0x76) | digits) & UInt64(repeatingByte: 0x80)
        let count = others.firstMarkedByte
        // Without any the shift is by 64, that is by none: a value that nobody asks for.
        var value = digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        value = (value &* 10 &+ value &>> 8) & 0x00ff_00ff_00ff_00ff
        value = (value &* 100 &+ value &>> 16) & 0x0000_ffff_0000_ffff
        return ((value &* 10_000 &+ value &>> 32) & 0xffff_ffff, count)
    }
}
