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
            if index < 0 || !lane.isAt(unsafe keys[index], in: json) {
                index = lookUp(object, lane, in: json)
                guard index >= 0 else { break }
                unsafe following[previous] = Int32(truncatingIfNeeded: index)
            }
            let key = unsafe keys + index
            guard unsafe seen & key.pointee.bit == 0 else { break }
            var next = lane
            next.at &+= unsafe key.pointee.length
            if next.byte(in: json) == 0x20 { next.at &+= 1 }  // how most of those who indent write a colon
            next.skipSpace(in: json)
            guard next.hasReach(in: json) else { break }
            if next.isNull(in: json) {
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

    /// The key here, when it is not the predicted one; -1: none that the lane knows.
    @inline(never)
    private func lookUp(_ object: Int, _ lane: FastLane, in json: Span<UInt8>) -> Int {
        guard lane.byte(in: json) == UInt8(ascii: "\""), let name = lane.keyName(in: json),
            let index = unsafe FastLane.value(of: name, plan.lane.indexes + object, plan.lane.slots)
        else { return -1 }
        return lane.isAt(unsafe plan.lane.keys[Int(index)], in: json) ? Int(index) : -1
    }
}

/// Keys and commas.
extension FastLane {
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

    /// The key here without its quotes, if all of it is plain and within the lane's reach.
    @inline(__always)
    func keyName(in json: Span<UInt8>) -> NameEnds? {
        if let name = shortString(in: json) { return name }
        var end = at &+ 1
        for _ in 0..<4 {
            let length = json.uncheckedWord(at: end).stringSpecials.firstMarkedByte
            end &+= length
            if length < 8 { break }
        }
        guard unsafe json[unchecked: end] == UInt8(ascii: "\"") else { return nil }
        return NameEnds(
            word: json.uncheckedWord(at: at &+ 1), endWord: json.uncheckedWord(at: end &- 8),
            length: end &- at &- 1)
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
