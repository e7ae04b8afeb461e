import PorticoWire

// Which fields of a message are set, and what happens when a key comes again. Worked example, `{"a":[1,2],"a":[3]}`
// with `repeated int32 a = 1 [packed = false]`:
//
//     08 01 08 02             the first value; then the key comes again: cut field 1 before byte 4
//     08 01 08 02 08 03       the message ends: field 1 before byte 4 goes
//     08 03
//
// Protobuf would append the second list to the first and merge messages; JSON's last value replaces.
extension RecordReader {
    func isSet(_ slot: Int, in frame: Frame) -> Bool {
        if slot < 64 { return frame.seen &>> UInt64(slot) & 1 == 1 }
        return wideSeen[frame.firstWideSeen + slot / 64 - 1] &>> UInt64(slot % 64) & 1 == 1
    }

    mutating func set(_ slot: Int, in frame: inout Frame) {
        if slot < 64 {
            frame.seen |= 1 &<< UInt64(slot)
        } else {
            wideSeen[frame.firstWideSeen + slot / 64 - 1] |= 1 &<< UInt64(slot % 64)
        }
    }

    private mutating func unset(_ slot: Int, in frame: inout Frame) {
        if slot < 64 {
            frame.seen &= ~(1 &<< UInt64(slot))
        } else {
            wideSeen[frame.firstWideSeen + slot / 64 - 1] &= ~(1 &<< UInt64(slot % 64))
        }
    }

    /// Everything the field has written so far is to go.
    mutating func replace(_ field: FieldPlan, of frame: inout Frame) {
        unset(field.slot, in: &frame)
        cuts.append(Cut(number: field.number, end: out.count))
    }

    mutating func replaceFields(_ fields: [Int], of frame: inout Frame) {
        for index in fields where isSet(plan.fields[index].slot, in: frame) {
            replace(plan.fields[index], of: &frame)
        }
    }

    /// Removes the values that cuts of this frame name, in one sweep over the message.
    mutating func removeReplaced(of frame: Frame) {
        if [0, plan.taps.record].contains(frame.message) { places.lose() }
        var ends: [Int: Int] = [:]
        for cut in cuts[frame.firstCut...] { ends[cut.number] = cut.end }
        cuts.removeLast(cuts.count - frame.firstCut)
        let kept = out.read { Self.records(of: frame.start..<$0.count, in: $0, exceptBefore: ends) }
        keep(kept, from: frame.start)
    }

    /// Ranges of whole fields that stay, adjacent ones joined.
    private static func records(
        of message: Range<Int>, in bytes: Span<UInt8>, exceptBefore ends: [Int: Int]
    ) -> [Range<Int>] {
        var kept: [Range<Int>] = []
        var reader = ProtobufCursor(message)
        do throws(ProtobufError) {
            var start = reader.offset
            while let tag = try reader.nextTag(in: bytes) {
                try reader.skip(tag.wireType, in: bytes)
                if start >= ends[tag.field] ?? 0 {
                    if kept.last?.upperBound == start {
                        kept[kept.count - 1] = kept[kept.count - 1].lowerBound..<reader.offset
                    } else {
                        kept.append(start..<reader.offset)
                    }
                }
                start = reader.offset
            }
        } catch {
            preconditionFailure("the decoder wrote a message it cannot read: a bug in it, never bad input")
        }
        return kept
    }

    /// Closes the gaps between ranges that stay; what lies behind `start` and in none of them goes.
    mutating func keep(_ ranges: [Range<Int>], from start: Int) {
        var end = start
        for range in ranges {
            out.moveDown(range, to: end)
            end += range.count
        }
        out.truncate(to: end)
    }
}
