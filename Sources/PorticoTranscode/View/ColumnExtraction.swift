package import PorticoWire

extension ColumnPlan {
    /// The planned columns of all records, in the order they were planned.
    ///
    /// Fields of another wire type than the schema's are passed over like unknown ones. Of a field that
    /// occurs twice the last value counts, and a message that occurs twice is merged, as in every protobuf
    /// reader.
    package func extract(from records: Records) throws(ProtobufError) -> [Column] {
        var builders = shapes.map { ColumnBuilder($0, reserving: records.count) }
        let bytes = records.bytes.span
        let root = nodes[0]
        for range in records.ranges {
            for column in builders.indices { builders[column].beginRecord() }
            try walk(root, range.range, in: bytes, into: &builders)
        }
        return builders.map { $0.finish() }
    }

    /// Recursion goes no deeper than the longest path in the schema, whatever the bytes say.
    private func walk(
        _ node: Node, _ range: Range<Int>, in bytes: Span<UInt8>, into builders: inout [ColumnBuilder]
    ) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        while true {
            cursor.passShortTexts(of: node.passed, in: bytes)
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
    /// Moves on as long as there stand texts that no column needs, with a tag and a length of one byte each:
    /// nearly all of a record. Whatever else stands there, malformed bytes included, is left to the caller.
    /// - Parameter passed: bit `n` for field `n`.
    @inline(__always)
    fileprivate mutating func passShortTexts(of passed: UInt16, in bytes: Span<UInt8>) {
        while offset &+ 1 < end {
            let tag = bytes[offset]
            let length = bytes[offset &+ 1]
            guard tag & 0x87 == WireType.lengthDelimited.rawValue, passed &>> UInt16(tag &>> 3) & 1 == 1,
                length < 0x80, Int(length) <= end &- offset &- 2
            else { return }
            offset &+= 2 &+ Int(length)
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
