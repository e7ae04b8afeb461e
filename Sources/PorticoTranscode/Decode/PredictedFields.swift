// The fast lane's outer loop: fields as ``FastLane/plainRun(from:_:_:in:)`` reads them, and one by one where keys were not
// expected, values are no plain texts, or white space lies between. It comes back when something is left to the careful
// reader, or when no comma follows. Worked example, `{"name":"Yoda","born":"896BBY", "best":{…},"height":66}`:
//
//     "name"    a run reads it, and `born`, and ends at the comma; the white space behind it is stepped over
//     "best"    a message: back, before its key; the careful reader reads it, and asks the lane to go on
//     "height"  no text, so read by itself; then `}`: back, behind the value

/// Where the lane has left the cursor.
enum LaneEnd {
    /// At what should be a key.
    case beforeKey
    case behindValue
}

extension RecordReader {
    /// - Parameter predictor: the key read last; changed as more are read.
    mutating func readPredicted(
        of object: Int, after predictor: inout Int, into frame: inout Frame, in json: Span<UInt8>
    ) -> LaneEnd {
        // Not even a list may stand in the object.
        guard depth < options.maximumDepth else { return .beforeKey }
        let lane = FastLane(at: cursor.offset, buffer: out, plan: plan.lane)
        var run = LaneRun(at: lane.at, to: lane.to, key: predictor, seen: frame.seen)
        let tables = LaneTables(plan.lane, following)
        let end = lane.readFields(of: object, &run, tables, &textMarks, in: json)
        cursor.offset = run.at
        out.advance(to: run.to)
        (predictor, frame.seen) = (run.key, run.seen)
        return end
    }
}

extension FastLane {
    /// Reads fields of an object.
    /// - Parameter run: at a key.
    func readFields(
        of object: Int, _ run: inout LaneRun, _ tables: LaneTables, _ marks: inout TextMarks,
        in json: Span<UInt8>
    ) -> LaneEnd {
        var isMixed = false
        while run.at &+ Self.reach <= json.count {
            guard
                readRun(&run, &isMixed, tables, &marks, in: json)
                    || readField(of: object, &run, tables, &marks, in: json)
            else { return .beforeKey }
            guard stepsOverComma(&run.at, in: json) else { return .behindValue }
        }
        return .beforeKey
    }

    /// Reads the plain values here.
    /// - Parameter isMixed: whether the object has been found to hold more than short texts.
    /// - Returns: whether there is any.
    @inline(__always)  // with the loop, of which it is a part
    private func readRun(
        _ run: inout LaneRun, _ isMixed: inout Bool, _ tables: LaneTables, _ marks: inout TextMarks,
        in json: Span<UInt8>
    ) -> Bool {
        var start = run
        start.at &-= 1
        // Behind white space there is mostly more of it: the run would end where it begins.
        guard unsafe json[unchecked: start.at] > 0x20 else { return false }
        var plain = start
        if !isMixed {
            plain = textRun(from: start, tables, marks.texts(from: start.at, in: json), in: json)
            isMixed = unsafe json[unchecked: plain.at] != UInt8(ascii: "}")
        }
        if isMixed {
            let texts = plain.at
            plain = mixedRun(from: plain, tables, marks.texts(from: plain.at, in: json), in: json)
            // What is no UTF-8 goes to the careful reader, which finds out where and why.
            if plain.unproven > 0, !isUTF8(plain.unproven..<plain.to) { return false }
            isMixed = plain.at > texts && plain.unproven == 0
            plain.unproven = 0
        }
        guard plain.at > start.at else { return false }
        run = plain
        return true
    }

    /// Reads the field here, wherever it was expected and whatever its value.
    /// - Returns: false, and nothing read, when it is not the lane's.
    @inline(never)
    private func readField(
        of object: Int, _ run: inout LaneRun, _ tables: LaneTables, _ marks: inout TextMarks,
        in json: Span<UInt8>
    ) -> Bool {
        var lane = self
        (lane.at, lane.to) = (run.at, run.to)
        guard lane.hasReach(in: json) else { return false }
        var index = Int(unsafe tables.following[run.key])
        if index >= 0, Self.isKey(unsafe tables.keys[index], at: lane.at, in: json) {
            unsafe lane.at &+= tables.keys[index].length
        } else {
            (index, lane.at) = unsafe lane.lookUp(tables.indexes + object, tables, in: json)
            guard index >= 0 else { return false }
            unsafe tables.following[run.key] = Int32(truncatingIfNeeded: index)
        }
        if lane.byte(in: json) == 0x20 { lane.at &+= 1 }  // how most of those who indent write a colon
        lane.skipSpace(in: json)
        let key = unsafe tables.keys + index
        guard lane.at &+ Self.textReach <= json.count,
            unsafe run.seen & key.pointee.rivals == 0
                || Self.notes(key, at: run.to, run.seen, tables.following),
            let isSet = unsafe lane.readValue(key, tables, &marks, in: json)
        else { return false }
        run = LaneRun(
            at: lane.at, to: lane.to, key: index, seen: unsafe isSet ? run.seen | key.pointee.bit : run.seen)
        return true
    }

    /// ``LaneTables/notes(_:at:_:_:)``, a call away, or keys that nobody taps would pay for it.
    @inline(never)
    private static func notes(
        _ key: UnsafePointer<LaneKey>, at place: Int, _ seen: UInt64,
        _ following: UnsafeMutablePointer<Int32>
    ) -> Bool {
        unsafe LaneTables.notes(key, at: place, seen, following)
    }

    /// Reads the value here.
    /// - Returns: whether the field is set, which null does not; nil: not the lane's.
    @inline(__always)  // with the field, of which it is a part
    private mutating func readValue(
        _ key: UnsafePointer<LaneKey>, _ tables: LaneTables, _ marks: inout TextMarks, in json: Span<UInt8>
    ) -> Bool? {
        if isNull(in: json), unsafe key.pointee.step != .careful {
            at &+= 4
            return false
        }
        switch unsafe key.pointee.step {
        case .careful: return nil
        case .text, .explicitText:
            let texts = marks.texts(from: at, in: json)
            guard unsafe readText(key, texts, in: json) else { return nil }
        case .texts: return unsafe readTexts(key, in: json) ? true : nil
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
}

/// Keys and commas.
extension FastLane {
    /// The key here, when it is not the predicted one, and the place behind its colon; -1: none that the lane knows.
    /// - Parameter object: the index of the keys that there may be.
    @inline(never)
    func lookUp(
        _ object: UnsafePointer<PerfectIndex>, _ tables: LaneTables, in json: Span<UInt8>
    ) -> (key: Int, at: Int) {
        guard byte(in: json) == UInt8(ascii: "\""), let name = shortString(in: json),
            let index = unsafe Self.value(of: name, object, tables.slots),
            unsafe isNamed(tables.keys[Int(index)], in: json)
        else { return (-1, at) }
        var end = self
        end.at &+= name.length &+ 2
        end.skipSpace(in: json)
        // Behind the colon two bytes are read without a test: the spaces before it may have reached far.
        guard end.byte(in: json) == UInt8(ascii: ":"), end.at &+ 2 < json.count else { return (-1, at) }
        return (Int(index), end.at &+ 1)
    }

    /// Whether the key is at this place, and its colon right behind it.
    @inline(__always)
    static func isKey(_ key: LaneKey, at place: Int, in json: Span<UInt8>) -> Bool {
        let first = (json.uncheckedWord(at: place) ^ key.words.0) & key.masks.0
        let second = (json.uncheckedWord(at: place &+ 8) ^ key.words.1) & key.masks.1
        guard first | second == 0 else { return false }
        if key.length <= 16 { return true }
        guard key.length <= LaneKey.maximumLength else { return false }
        let end = place &+ key.length
        let third = json.uncheckedWord(at: end &- 16) ^ key.lastWords.0
        return third | (json.uncheckedWord(at: end &- 8) ^ key.lastWords.1) == 0
    }

    /// Whether the name here, of which the index has compared the length and both ends, is the key's.
    @inline(__always)
    func isNamed(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        // Two quotes and a colon more than the name.
        guard key.length > PerfectIndex.wholeLength &+ 3 else { return true }
        guard key.length <= LaneKey.maximumLength else { return false }
        let first = json.uncheckedWord(at: at) ^ key.words.0
        let second = json.uncheckedWord(at: at &+ 8) ^ key.words.1
        let third = json.uncheckedWord(at: at &+ key.length &- 16) ^ key.lastWords.0
        return first | second | third == 0
    }

    /// Steps over the comma here and the white space around it; false, at what is no comma, with no more than white
    /// space stepped over.
    @inline(__always)
    func stepsOverComma(_ place: inout Int, in json: Span<UInt8>) -> Bool {
        guard place < json.count else { return false }
        if unsafe json[unchecked: place] <= 0x20 { place = Self.endOfSpace(place, in: json) }
        guard unsafe json[unchecked: place] == UInt8(ascii: ",") else { return false }
        place &+= 1
        if place < json.count, unsafe json[unchecked: place] <= 0x20 {
            place = Self.endOfSpace(place, in: json)
        }
        return true
    }
}
