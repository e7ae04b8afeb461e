// The fast lane's outer loop: it looks for keys where they were not expected, and steps over the white space of those who
// indent; values and what follows them compactly are ``FastLane/run(from:seen:tables:marks:in:)``. It comes back when
// something is left to the careful reader, or when no comma follows. Worked example,
// `{"name":"Yoda","born":"896BBY", "best":{…},"height":66}`:
//
//     "name"    a run reads its value, and `born` with its own, and ends at the white space
//     "best"    a message: back, before its key; the careful reader reads it, and asks the lane to go on
//     "height"  a run, then `}`: back, behind the value

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
        var lane = FastLane(at: cursor.offset, buffer: out, plan: plan.lane, jsonBytes: json.count)
        var (previous, seen) = (predictor, frame.seen)
        let tables = LaneTables(plan.lane, following)
        let keys = unsafe tables.keys
        var end = LaneEnd.beforeKey
        while lane.hasReach(in: json) {
            var index = Int(unsafe tables.following[previous])
            var next = lane
            if index >= 0, lane.isAt(unsafe keys[index], in: json) {
                next.at &+= unsafe keys[index].length
            } else {
                (index, next.at) = unsafe lane.lookUp(tables.indexes + object, tables, in: json)
                guard index >= 0 else { break }
                unsafe tables.following[previous] = Int32(truncatingIfNeeded: index)
            }
            if next.byte(in: json) == 0x20 { next.at &+= 1 }  // how most of those who indent write a colon
            next.skipSpace(in: json)
            let run = next.run(from: index, seen: seen, tables: tables, marks: &textMarks, in: json)
            guard run.at > next.at else { break }
            (lane.at, lane.to, previous, seen, end) = (run.at, run.to, run.key, run.seen, .behindValue)
            guard lane.stepsOverComma(in: json) else { break }
            end = .beforeKey
        }
        cursor.offset = lane.at
        out.advance(to: lane.to)
        (predictor, frame.seen) = (previous, seen)
        return end
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
        guard end.byte(in: json) == UInt8(ascii: ":") else { return (-1, at) }
        return (Int(index), end.at &+ 1)
    }

    /// Whether the key is here, and its colon right behind it.
    @inline(__always)
    func isAt(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        let first = (json.uncheckedWord(at: at) ^ key.words.0) & key.masks.0
        let second = (json.uncheckedWord(at: at &+ 8) ^ key.words.1) & key.masks.1
        guard first | second == 0 else { return false }
        if key.length <= 16 { return true }
        guard key.length <= LaneKey.maximumLength else { return false }
        let end = at &+ key.length
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
    mutating func stepsOverComma(in json: Span<UInt8>) -> Bool {
        guard at < json.count else { return false }
        skipSpace(in: json)
        guard byte(in: json) == UInt8(ascii: ",") else { return false }
        at &+= 1
        if at < json.count { skipSpace(in: json) }
        return true
    }
}
