package import PorticoWire

extension ColumnPlan {
    /// The planned columns of all records, in the order they were planned.
    ///
    /// Fields of another wire type than the schema's are passed over like unknown ones. Of a field that occurs twice
    /// the last value counts, and a message that occurs twice is merged, as in every protobuf reader.
    package func extract(from records: Records) throws(ProtobufError) -> [Column] {
        var builders = shapes.map { ColumnBuilder($0, reserving: records.count) }
        let bytes = records.bytes.span
        for range in records.ranges {
            for column in builders.indices { builders[column].beginRecord() }
            try walk(0, range.range, in: bytes, into: &builders)
        }
        return builders.map { $0.finish() }
    }

    /// Recursion goes no deeper than the longest path in the schema, whatever the bytes say.
    private func walk(
        _ node: Int, _ range: Range<Int>, in bytes: Span<UInt8>, into builders: inout [ColumnBuilder]
    ) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes) {
            guard let index = nodes[node].entry(tag.field), nodes[node].entries[index].accepts(tag.wireType)
            else {
                try cursor.skip(tag.wireType, in: bytes)
                continue
            }
            for column in nodes[node].entries[index].clears { builders[column].clear() }
            switch nodes[node].entries[index].target {
            case .column(let column, let type):
                try cursor.read(type, in: bytes, into: &builders[column])
            case .node(let inner):
                for column in nodes[inner].columns { builders[column].enteredMessage() }
                try walk(inner, try cursor.lengthDelimited(in: bytes), in: bytes, into: &builders)
            case .nothing:
                try cursor.skip(tag.wireType, in: bytes)
            }
        }
    }
}

extension ColumnPlan.Entry {
    func accepts(_ wireType: WireType) -> Bool {
        switch target {
        case .column(_, let type): type.wireType == wireType
        case .node: wireType == .lengthDelimited
        case .nothing: true
        }
    }
}
