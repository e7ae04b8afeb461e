// The fast lane's loop: key after key as predicted. It comes back when something is left to the careful reader, or when
// no comma follows. Worked example, `{"name":"Yoda","best":{…},"height":66}`:
//
//     "name"    in the lane
//     "best"    a message: back, before its key; the careful reader reads it, and asks the lane to go on
//     "height"  in the lane, then `}`: back, behind the value

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
        let (keys, following) = unsafe (plan.lane.keys, self.following.start)
        var end = LaneEnd.beforeKey
        while lane.hasReach(in: json) {
            var index = Int(unsafe following[previous])
            var next = lane
            if index >= 0, lane.isAt(unsafe keys[index], in: json) {
                next.at &+= unsafe keys[index].length
            } else {
                (index, next.at) = lookUp(object, lane, in: json)
                guard index >= 0 else { break }
                unsafe following[previous] = Int32(truncatingIfNeeded: index)
            }
            let key = unsafe keys + index
            guard unsafe seen & key.pointee.rivals == 0 else { break }
            if next.byte(in: json) == 0x20 { next.at &+= 1 }  // how most of those who indent write a colon
            next.skipSpace(in: json)
            guard next.hasReach(in: json) else { break }
            if next.isNull(in: json), unsafe key.pointee.step != .careful {
                next.at &+= 4
            } else {
                guard unsafe readValue(key, &next, in: json) else { break }
                unsafe seen |= key.pointee.bit
            }
            (lane, previous, end) = (next, index, .behindValue)
            guard lane.stepsOverComma(in: json) else { break }
            end = .beforeKey
        }
        cursor.offset = lane.at
        out.advance(to: lane.to)
        (predictor, frame.seen) = (previous, seen)
        return end
    }

    @inline(__always)  // called once
    private func readValue(
        _ key: UnsafePointer<LaneKey>, _ lane: inout FastLane, in json: Span<UInt8>
    ) -> Bool {
        let start = lane.to
        switch unsafe key.pointee.step {
        case .careful: return false
        case .text:
            guard unsafe lane.readText(key.pointee, in: json) else { return false }
            if unsafe lane.to == start &+ key.pointee.tagLength &+ 1 { lane.to = start }
        case .explicitText: return unsafe lane.readText(key.pointee, in: json)
        case .texts: return unsafe lane.readTexts(key.pointee, in: json)
        case .packed: return unsafe lane.readPacked(key.pointee, in: json)
        case .number, .explicitNumber:
            guard let bits = unsafe lane.readNumber(key.pointee.kind, in: json) else { return false }
            if unsafe bits != 0 || key.pointee.step == .explicitNumber {
                unsafe lane.write(bits, for: key.pointee)
            }
        case .enumeration, .explicitEnumeration:
            let index = unsafe plan.lane.indexes + Int(key.pointee.names)
            guard let bits = unsafe lane.readEnumName(index, plan.lane.slots, in: json) else { return false }
            if unsafe bits != 0 || key.pointee.step == .explicitEnumeration {
                unsafe lane.write(bits, for: key.pointee)
            }
        }
        return true
    }

    /// The key here, when it is not the predicted one, and the place behind its colon; -1: none that the lane knows.
    @inline(never)
    private func lookUp(_ object: Int, _ lane: FastLane, in json: Span<UInt8>) -> (key: Int, at: Int) {
        guard lane.byte(in: json) == UInt8(ascii: "\""), let name = lane.shortString(in: json),
            let index = unsafe FastLane.value(of: name, plan.lane.indexes + object, plan.lane.slots),
            unsafe lane.isNamed(plan.lane.keys[Int(index)], in: json)
        else { return (-1, lane.at) }
        var end = lane
        end.at &+= name.length &+ 2
        end.skipSpace(in: json)
        guard end.byte(in: json) == UInt8(ascii: ":") else { return (-1, lane.at) }
        return (Int(index), end.at &+ 1)
    }
}

/// Keys and commas.
extension FastLane {
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
