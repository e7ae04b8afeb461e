// The lane's inner loop: value after value behind the keys that were expected, nothing but a comma between. It has places,
// tables and marks in registers, so it holds what most JSON is made of, strings and lists of strings; other values are
// called for. At anything unexpected it ends behind the value before. Worked example, `"Yoda","films":["I","II"],"best":{`
// behind `"name":`:
//
//     "Yoda"            0a 04 59 6f 64 61
//     ,"films":         the key predicted behind `name`; its value begins with the bracket of a list
//     ["I","II"]        22 01 49  22 02 49 49
//     ,"best":          predicted, but a message is the careful reader's: the run ends behind the bracket

/// How far a run has come.
struct LaneRun {
    /// Behind the last value that was read.
    var at: Int
    var to: Int
    /// The key of that value.
    var key: Int
    /// The bits of the fields that are set.
    var seen: UInt64
}

/// What a run looks things up in.
@safe struct LaneTables {
    /// ``LanePlan/keys``.
    let keys: UnsafePointer<LaneKey>
    /// Which key to expect behind each: ``Predictions``.
    let following: UnsafeMutablePointer<Int32>
    /// ``LanePlan/indexes``.
    let indexes: UnsafePointer<PerfectIndex>
    /// ``LanePlan/slots``.
    let slots: UnsafePointer<PerfectIndex.Slot>

    init(_ plan: LanePlan, _ predictions: borrowing Predictions) {
        unsafe keys = UnsafePointer(plan.keys)
        unsafe following = predictions.start
        unsafe indexes = UnsafePointer(plan.indexes)
        unsafe slots = UnsafePointer(plan.slots)
    }
}

extension FastLane {
    /// Reads the value here, and those that follow it.
    /// - Parameters:
    ///   - first: the key whose value is here.
    ///   - seen: the bits of the fields that are set.
    /// - Returns: nothing read when the value is not the lane's.
    // Out of line: its loop needs all registers. Within the one that steps over white space its places were in memory.
    @inline(never)
    func run(
        from first: Int, seen: UInt64, tables: LaneTables, marks: inout TextMarks, in json: Span<UInt8>
    ) -> LaneRun {
        let (keys, following) = unsafe (tables.keys, tables.following)
        var run = LaneRun(at: at, to: to, key: first, seen: seen)
        var lane = self
        var texts = MarkedTexts(marks, from: at, in: json)
        var index = first
        while texts.reaches(lane, &marks, in: json) {
            let key = unsafe keys + index
            guard unsafe run.seen & key.pointee.rivals == 0 else { return run }
            var bit = unsafe key.pointee.bit
            if unsafe UInt16(lane.byte(in: json)) != key.pointee.opener {
                var other = lane  // a copy, so that the loop's own places need no memory
                guard let isSet = unsafe other.readOther(key, tables, in: json) else { return run }
                (lane.at, lane.to, bit) = (other.at, other.to, isSet ? bit : 0)
            } else if unsafe key.pointee.step == .texts {
                guard unsafe lane.readList(key, &texts, &marks, in: json) else { return run }
            } else {
                guard unsafe lane.copyText(key, texts, in: json) else { return run }
                // Left out when empty.
                if unsafe lane.to == run.to &+ key.pointee.tagLength &+ 1 && key.pointee.step == .text {
                    lane.to = run.to
                }
            }
            run = LaneRun(at: lane.at, to: lane.to, key: index, seen: run.seen | bit)
            let next = Int(unsafe following[index])
            guard next >= 0, texts.reaches(lane, &marks, in: json), lane.byte(in: json) == UInt8(ascii: ",")
            else { return run }
            lane.at &+= 1
            guard lane.isAt(unsafe keys[next], in: json) else { return run }
            unsafe lane.at &+= keys[next].length
            index = next
        }
        return run
    }

    /// Reads what is no string and no compact list of them.
    /// - Returns: whether the field is set, which null does not; nil: not the lane's.
    @inline(never)  // out of the loop's registers
    private mutating func readOther(
        _ key: UnsafePointer<LaneKey>, _ tables: LaneTables, in json: Span<UInt8>
    ) -> Bool? {
        if isNull(in: json), unsafe key.pointee.step != .careful {
            at &+= 4
            return false
        }
        switch unsafe key.pointee.step {
        case .careful, .text, .explicitText, .texts: return nil
        case .packed: return unsafe readPacked(key, in: json) ? true : nil
        case .number, .explicitNumber:
            guard let bits = unsafe readNumber(key.pointee.kind, in: json) else { return nil }
            if unsafe bits != 0 || key.pointee.step == .explicitNumber { unsafe write(bits, for: key) }
        case .enumeration, .explicitEnumeration:
            let index = unsafe tables.indexes + Int(key.pointee.names)
            guard let bits = unsafe readEnumName(index, tables.slots, in: json) else { return nil }
            if unsafe bits != 0 || key.pointee.step == .explicitEnumeration { unsafe write(bits, for: key) }
        }
        return true
    }

    /// Copies the list of strings here.
    @inline(__always)  // a part of the loop
    private mutating func readList(
        _ key: UnsafePointer<LaneKey>, _ texts: inout MarkedTexts, _ marks: inout TextMarks,
        in json: Span<UInt8>
    ) -> Bool {
        var list = self  // a copy, as above
        at &+= 1
        if byte(in: json) == UInt8(ascii: "]") {
            at &+= 1
            return true
        }
        while texts.reaches(self, &marks, in: json), byte(in: json) == UInt8(ascii: "\"") {
            guard unsafe copyText(key, texts, in: json), at < json.count else { return false }
            let byte = byte(in: json)
            at &+= 1
            if byte == UInt8(ascii: "]") { return true }
            guard byte == UInt8(ascii: ",") else { break }
        }
        guard unsafe list.readTexts(key, in: json) else { return false }
        (at, to) = (list.at, list.to)
        return true
    }
}

/// Strings.
extension FastLane {
    /// Bytes of a text that are copied without a look, most of them for nothing: texts differ in length, and a branch for
    /// each block would be guessed wrong too often.
    private static let shortText = 48

    /// Copies the string here behind its tag and length.
    @inline(__always)  // a part of the loop
    private mutating func copyText(
        _ key: UnsafePointer<LaneKey>, _ texts: MarkedTexts, in json: Span<UInt8>
    ) -> Bool {
        unsafe store(key.pointee.tag, at: to)
        let start = unsafe to &+ key.pointee.tagLength &+ 1
        (at, to) = (at &+ 1, start)
        let length = texts.plainLength(at: at)
        let seen = copyBlocks(at: at, to: to, in: json)
        let end = at &+ length
        if length <= Self.shortText, unsafe json[unchecked: end] == UInt8(ascii: "\"") {
            (at, to) = (end, to &+ length)
            // What follows the quote may have set a high bit: then the text is looked at for nothing.
            guard !seen.hasNonASCII || isUTF8(start..<to) else { return false }
        } else {
            (at, to) =
                length > Self.shortText
                ? afterLongText(from: at, to: to, texts, in: json)
                : afterText(from: at, to: to, start: start, in: json)
            guard at >= 0 else { return false }
        }
        at &+= 1
        finishLength(of: start)
        return true
    }

    /// Copies the string that begins here, however long, up to its closing quote: by its marks as far as it is plain.
    /// - Returns: as ``afterText(from:to:start:in:)``.
    @inline(never)  // out of the loop's registers
    private func afterLongText(
        from: Int, to start: Int, _ texts: MarkedTexts, in json: Span<UInt8>
    ) -> (from: Int, to: Int) {
        var seen = SIMD16<UInt8>()
        var (at, to) = (from, start)
        while texts.reaches(at) {
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

    /// Copies ``shortText`` bytes, of which ``textReach`` are there.
    /// - Returns: all bits that were set.
    @inline(__always)  // a part of the loop
    private func copyBlocks(at: Int, to: Int, in json: Span<UInt8>) -> SIMD16<UInt8> {
        let first = json.uncheckedBlock(at: at)
        let second = json.uncheckedBlock(at: at &+ 16)
        let third = json.uncheckedBlock(at: at &+ 32)
        store(first, at: to)
        store(second, at: to &+ 16)
        store(third, at: to &+ 32)
        return first | second | third
    }
}

/// The marks as a run reads them: plain values, in registers.
@safe private struct MarkedTexts {
    private var base: UnsafeRawPointer
    /// Places up to here have all that a key and the beginning of a text need.
    private var last: Int

    /// - Parameter start: nothing before it is asked for.
    @inline(__always)
    init(_ marks: borrowing TextMarks, from start: Int, in json: Span<UInt8>) {
        unsafe base = marks.base
        let end = min(marks.covered.upperBound &- TextMarks.reach, json.count &- FastLane.textReach)
        // A key that fills two fields is read twice: the marks may begin behind it by then.
        last = start < marks.covered.lowerBound ? .min : end
    }

    /// Whether this place is marked, and what follows it.
    @inline(__always)
    func reaches(_ place: Int) -> Bool { place <= last }

    /// Whether there is JSON and record enough for what is read without a look.
    @inline(__always)
    mutating func reaches(_ lane: FastLane, _ marks: inout TextMarks, in json: Span<UInt8>) -> Bool {
        if lane.at > last {
            guard lane.at &+ FastLane.textReach <= json.count else { return false }
            marks.cover(from: lane.at, in: json)
            self = MarkedTexts(marks, from: lane.at, in: json)
        }
        return lane.hasRoom
    }

    /// Bytes up to the next mark; more than 55: further away.
    @inline(__always)
    func plainLength(at place: Int) -> Int {
        let word = unsafe base.loadUnaligned(fromByteOffset: place &>> 3, as: UInt64.self)
        return (word.littleEndian &>> UInt64(truncatingIfNeeded: place & 7) | 1 &<< 56).trailingZeroBitCount
    }
}
