// Lists, and maps as lists of entries. Worked example, `{"counts":{"a":1}}` with `map<string, int32> counts = 3`:
//
//     1a 05           field 3, an entry of five bytes
//        0a 01 61     key = 1: "a"
//        10 01        value = 2: 1
//
// An element of a list of messages that does not fit goes alone: what it wrote is forgotten, it is stepped over, and
// counted. Stepping over it still checks that it is JSON.
extension RecordReader {
    /// Where a map's entry and its key's text lie in ``out``.
    struct MapEntry {
        let start: Int
        let key: Range<Int>
    }

    mutating func readList(_ field: FieldPlan, _ index: Int, in json: Span<UInt8>) throws(ReadingFault) {
        guard try enterList(in: json) else { return }
        repeat {
            if field.kind == .message {
                try readMessages(field, index, in: json)
            } else {
                try refuseNull(in: json)
                try readElement(field, index, in: json)
            }
        } while try hasMore(before: "]", in: json)
        leave()
    }

    mutating func readPacked(_ field: FieldPlan, _ index: Int, in json: Span<UInt8>) throws(ReadingFault) {
        reserveForValue()
        guard try enterList(in: json) else { return }
        let length = beginLength(field, index)
        repeat {
            try refuseNull(in: json)
            let bits = try readBits(field, in: json)
            reserveForValue()
            write(bits, as: field.kind)
        } while try hasMore(before: "]", in: json)
        endLength(length, index)
        leave()
    }

    /// - Returns: false when the list is empty; it has then been stepped over.
    private mutating func enterList(in json: Span<UInt8>) throws(ReadingFault) -> Bool {
        guard cursor.peek(in: json) == UInt8(ascii: "[") else { throw try misfit(.array, in: json) }
        try enter(in: json)
        guard cursor.peek(in: json) == UInt8(ascii: "]") else { return true }
        leave()
        return false
    }

    private mutating func refuseNull(in json: Span<UInt8>) throws(ReadingFault) {
        guard cursor.peek(in: json) == UInt8(ascii: "n") else { return }
        let at = cursor.offset
        try cursor.literal(.null, in: json)
        throw ReadingFault(.nullElement, at: at)
    }

    /// Reads messages while they come one after the other in the lane, and the first that does not.
    private mutating func readMessages(
        _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        let open: OpenRecord?
        switch readRecords(field, index, in: json) {
        case .behindElement: return
        case .beforeElement: open = nil
        case .within(let record): open = record
        }
        switch options.mode {
        case .lossy: try readOrSkip(open, field, index, in: json)
        case .strict: try readRecord(open, field, index, in: json)
        }
    }

    /// Reads the message here, or what is left of the one that the lane has begun.
    private mutating func readRecord(
        _ open: OpenRecord?, _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        if let open { return try finish(open, field, index, in: json) }
        try refuseNull(in: json)
        let (at, length) = (cursor.offset, out.count + field.tagLength)
        let place = LengthPlace(start: length, width: Int(lengthWidths[index]))
        try readElement(field, index, in: json)
        if index == plan.taps.list {
            keepPlaces(place, end: out.count, jsonBytes: cursor.offset - at, in: json)
        }
    }

    /// Like ``readRecord(_:_:_:in:)``, but one that does not fit is left out and counted.
    private mutating func readOrSkip(
        _ open: OpenRecord?, _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        let (at, start, depth) = (open?.at ?? cursor.offset, open?.start ?? out.count, depth)
        let (skipped, unknown) = (skippedItems, unknownEnumValues)
        let (cutCount, seenCount, entryCount) = (cuts.count, wideSeen.count, mapEntries.count)
        do throws(ReadingFault) {
            try readRecord(open, field, index, in: json)
        } catch {
            guard error.isMismatch else { throw error }
            cursor.offset = at
            self.depth = depth
            out.truncate(to: start)
            if index == plan.taps.list { following.forgetTaps() }
            (skippedItems, unknownEnumValues) = (skipped + 1, unknown)
            cuts.removeLast(cuts.count - cutCount)
            wideSeen.removeLast(wideSeen.count - seenCount)
            mapEntries.removeLast(mapEntries.count - entryCount)
            try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
        }
    }

    mutating func readMap(_ field: FieldPlan, _ index: Int, in json: Span<UInt8>) throws(ReadingFault) {
        guard cursor.peek(in: json) == UInt8(ascii: "{") else { throw try misfit(.object, in: json) }
        try enter(in: json)
        let (firstEntry, mapStart) = (mapEntries.count, out.count)
        if cursor.peek(in: json) != UInt8(ascii: "}") {
            repeat { try readEntry(field, index, in: json) } while try hasMore(before: "}", in: json)
        }
        leave()
        if mapEntries.count - firstEntry > 1 { keepLastEntries(from: firstEntry, mapStart: mapStart) }
        mapEntries.removeLast(mapEntries.count - firstEntry)
    }

    private mutating func readEntry(
        _ field: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        guard cursor.peek(in: json) == UInt8(ascii: "\"") else { throw cursor.unexpected(in: json) }
        reserveForValue()
        let (start, keyIndex) = (out.count, field.child)
        let length = beginLength(field, index)
        let key = plan.fields[keyIndex]
        let keyStart = out.count
        try readMapKey(key, keyIndex, in: json)
        let keyLength = out.count - keyStart
        try cursor.colon(in: json)
        try refuseNull(in: json)
        try readElement(plan.fields[keyIndex + 1], keyIndex + 1, in: json)
        let contentLength = out.count - keyStart
        endLength(length, index)
        let movedKeyStart = out.count - contentLength
        mapEntries.append(MapEntry(start: start, key: movedKeyStart..<movedKeyStart + keyLength))
    }

    /// Keys are always strings in JSON: numbers and bools are written inside.
    private mutating func readMapKey(
        _ key: FieldPlan, _ index: Int, in json: Span<UInt8>
    ) throws(ReadingFault) {
        guard key.kind != .string else { return try readElement(key, index, in: json) }
        let at = cursor.offset
        let text = Array(try cursor.string(in: json).utf8)
        let bits: UInt64
        if key.kind == .bool {
            guard text.count == 4 || text.count == 5, let value = Bool(String(decoding: text, as: UTF8.self))
            else { throw ReadingFault(.wrongType(expected: .bool), at: at) }
            bits = value ? 1 : 0
        } else {
            bits = try NumberBits.ofText(text.indices, in: text.span, as: key.kind, at: at)
        }
        writeTag(key)
        write(bits, as: key.kind)
    }

    /// Of entries with equal keys the last stays.
    private mutating func keepLastEntries(from firstEntry: Int, mapStart: Int) {
        let entries = Array(mapEntries[firstEntry...])
        let end = out.count
        let kept = out.read { bytes in
            var last: [[UInt8]: Int] = [:]
            for (position, entry) in entries.enumerated() { last[bytes.array(entry.key)] = position }
            guard last.count < entries.count else { return [Range<Int>]() }
            return last.values.sorted().map { position in
                let next = position + 1 < entries.count ? entries[position + 1].start : end
                return entries[position].start..<next
            }
        }
        if !kept.isEmpty { keep(kept, from: mapStart) }
    }
}
