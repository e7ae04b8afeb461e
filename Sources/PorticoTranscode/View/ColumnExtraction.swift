import PorticoSchema
package import PorticoWire

extension ColumnPlan {
    /// The planned columns of all records, in the order they were planned.
    ///
    /// Where the decoder has left a page's tapped fields, and these are all that is needed, nothing is looked for.
    ///
    /// Fields of another wire type than the schema's are passed over like unknown ones. Of a field that
    /// occurs twice the last value counts, and a message that occurs twice is merged, as in every protobuf
    /// reader.
    package func extract(from records: Records) throws(ProtobufError) -> [Column] {
        var builders = shapes.map { ColumnBuilder($0, reserving: records.count) }
        var walked = 0
        if let tapped = records.known.first?.places.tapped, let taps = taps(among: tapped) {
            for known in records.known where known.places.tapped == tapped {
                try walk(walked..<known.rows.lowerBound, of: records, into: &builders)
                for column in builders.indices {
                    try builders[column].append(
                        taps[column], of: known, shapes[column].field, in: records.bytes.span)
                }
                walked = known.rows.upperBound
            }
        }
        try walk(walked..<records.count, of: records, into: &builders)
        return builders.map { $0.finish() }
    }

    private func walk(
        _ rows: Range<Int>, of records: Records, into builders: inout [ColumnBuilder]
    ) throws(ProtobufError) {
        let bytes = records.bytes.span
        let root = nodes[0]
        for range in records.ranges[rows] {
            for column in builders.indices { builders[column].beginRecord() }
            try walk(root, range.range, in: bytes, into: &builders)
        }
    }

    /// Recursion goes no deeper than the longest path in the schema, whatever the bytes say.
    private func walk(
        _ node: Node, _ range: Range<Int>, in bytes: Span<UInt8>, into builders: inout [ColumnBuilder]
    ) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while true {
            cursor.readShortTexts(of: node, in: bytes, into: &builders)
            guard let tag = try cursor.nextTag(in: bytes) else { return }
            guard let index = node.entry(tag.field), node.entries[index].accepts(tag.wireType) else {
                try cursor.skip(tag.wireType, in: bytes)
                continue
            }
            for column in node.entries[index].clears { builders[column].clear() }
            switch node.entries[index].target {
            case .column(let column, let type):
                try cursor.read(type, in: bytes, into: &builders[column])
            case .node(let inner):
                for column in nodes[inner].columns { builders[column].enteredMessage() }
                try walk(nodes[inner], try cursor.lengthDelimited(in: bytes), in: bytes, into: &builders)
            case .nothing:
                try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }
}

extension ProtobufCursor {
    /// Moves on as long as there stand texts with a tag and a length of one byte each, and takes those that are columns.
    /// Whatever else stands there, malformed bytes included, is left to the caller.
    @inline(__always)
    fileprivate mutating func readShortTexts(
        of node: borrowing ColumnPlan.Node, in bytes: Span<UInt8>, into builders: inout [ColumnBuilder]
    ) {
        while offset &+ 1 < end {
            let (tag, length) = (bytes[offset], Int(bytes[offset &+ 1]))
            // A tag of one byte and wire type 2 (a call for the type's number would be dearer than the rest).
            guard tag & 0x87 == 2, length < 0x80, length <= end &- offset &- 2 else { return }
            switch node.short[Int(tag &>> 3)] {
            case .passed: break
            case .text(let column):
                let place = ByteRange(offset: UInt32(offset &+ 2), count: UInt32(length))
                builders[column].set(text: place, in: bytes)
            case .other: return
            }
            offset &+= 2 &+ length
        }
    }
}

extension ColumnPlan.Entry {
    func accepts(_ wireType: WireType) -> Bool {
        switch target {
        case .column(_, let type): type.wireType.rawValue == wireType.rawValue
        case .node: wireType.rawValue == WireType.lengthDelimited.rawValue
        case .nothing: true
        }
    }
}
