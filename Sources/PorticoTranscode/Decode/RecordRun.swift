// Lists of messages: record behind record, without a step outside the lane between them. A record with something that is the
// careful reader's is handed over as far as it has come. Worked example, `[{"name":"Yoda"},{"name":"Leia","best":{…}}]`
// with `repeated Person people = 4`:
//
//     {"name":"Yoda"}    22 ??  0a 04 59 6f 64 61      the list's tag, a byte aside, and what the lane reads
//                        22 06                         a brace follows, so the length goes into its byte
//     {"name":"Leia",    22 ??  0a 04 4c 65 69 61      handed over before `best`
extension RecordReader {
    /// Where the lane has left a list of messages.
    enum RecordsEnd {
        case beforeElement
        case behindElement
        case within(OpenRecord)
    }

    /// An element that the lane has begun.
    struct OpenRecord {
        /// Of its brace.
        let at: Int
        /// Of its tag in ``out``.
        let start: Int
        let length: LengthPlace
        let frame: Frame
        /// The key read last.
        let predictor: Int
        let end: LaneEnd
    }

    /// Reads elements of a list of messages, as many as the lane reads whole, and the beginning of one that it does not.
    mutating func readRecords(_ field: FieldPlan, _ index: Int, in json: Span<UInt8>) -> RecordsEnd {
        let (object, required) = (plan.messages[field.child].object, plan.messages[field.child].requiredBits)
        // The lane does not count how deep the lists are that it reads in a record.
        guard let required, depth &+ 1 < options.maximumDepth else { return .beforeElement }
        let (tables, firstSeen) = (LaneTables(plan.lane, following), plan.messages[field.child].firstSeen)
        var lane = FastLane(at: cursor.offset, buffer: out, plan: plan.lane)
        while let firstKey = lane.firstKey(in: json) {
            lane.store(field.tag, at: lane.to)
            let length = LengthPlace(start: lane.to &+ field.tagLength, width: Int(lengthWidths[index]))
            var run = LaneRun(
                at: firstKey, to: length.start &+ length.width, key: plan.keys.count &+ object,
                seen: firstSeen)
            let end = lane.readFields(of: object, &run, tables, &textMarks, in: json)
            let isWhole = end == .behindValue && json.byte(at: run.at) == UInt8(ascii: "}")
            guard isWhole, run.seen & required == required else {
                let open = OpenRecord(
                    at: lane.at, start: lane.to, length: length,
                    frame: Frame(
                        message: field.child, start: length.start &+ length.width, firstCut: cuts.count,
                        firstWideSeen: wideSeen.count, seen: run.seen),
                    predictor: run.key, end: end)
                takeOver(run.at, run.to)
                return .within(open)
            }
            if lane.writeLength(of: run.to &- length.start &- length.width, length) {
                lane.to = run.to
            } else {
                takeOver(run.at, run.to)
                endLength(length, index)
                lane = FastLane(at: run.at, buffer: out, plan: plan.lane)
            }
            if firstSeen != 0 { keepPlaces(length, end: lane.to, jsonBytes: run.at &- firstKey, in: json) }
            lane.at = run.at &+ 1
            let hasComma = lane.stepsOverComma(&lane.at, in: json)
            takeOver(lane.at, lane.to)
            if !hasComma { return .behindElement }
        }
        return .beforeElement
    }

    private mutating func takeOver(_ at: Int, _ to: Int) {
        cursor.offset = at
        out.advance(to: to)
    }

    /// Reads what is left of an element.
    mutating func finish(
        _ record: OpenRecord, _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        var frame = record.frame
        depth &+= 1
        let object = plan.messages[field.child].object
        var hasMembers = record.end == .beforeKey
        if !hasMembers { hasMembers = try hasMore(before: "}", in: json) }
        if hasMembers {
            try readMembers(of: object, after: record.predictor, into: &frame, in: json)
        } else {
            leave()
        }
        try close(frame, at: record.at)
        endLength(record.length, index)
        if index == plan.taps.list {
            keepPlaces(record.length, end: out.count, jsonBytes: cursor.offset - record.at, in: json)
        }
    }
}

extension FastLane {
    /// The place of the first key of the object here; nil: it has none, or there is no object.
    @inline(__always)  // with the loop, of which it is a part
    fileprivate func firstKey(in json: Span<UInt8>) -> Int? {
        guard hasReach(in: json), byte(in: json) == UInt8(ascii: "{") else { return nil }
        var place = self
        place.at &+= 1
        place.skipSpace(in: json)
        return place.byte(in: json) == UInt8(ascii: "\"") ? place.at : nil
    }

    /// Writes a length into the bytes set aside for it.
    /// - Returns: false: it needs another width.
    @inline(__always)  // with the loop, of which it is a part
    fileprivate func writeLength(of content: Int, _ place: RecordReader.LengthPlace) -> Bool {
        switch place.width {
        case 1:
            guard content < 0x80 else { return false }
            unsafe record[place.start] = UInt8(truncatingIfNeeded: content)
        case 2:
            guard content >= 0x80, content < 0x4000 else { return false }
            unsafe record[place.start] = UInt8(truncatingIfNeeded: content) | 0x80
            unsafe record[place.start &+ 1] = UInt8(truncatingIfNeeded: content &>> 7)
        default: return false
        }
        return true
    }
}
