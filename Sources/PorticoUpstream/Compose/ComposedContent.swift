internal import PorticoWire

extension ComposePlan {
    /// What makes a composed answer another one for those who observe it: its parts, and of each status the name, `ok`,
    /// `code` and `stale`. The age of a stale part grows by itself, and the text of an error may name a moment or a
    /// request: neither is told by itself.
    ///
    ///     22 0d 0a 05 "teams" 10 01 28 01 30 2a   →   22 0b 0a 05 "teams" 10 01 28 01
    ///
    /// - Parameter answer: as ``GatheredParts`` writes it, or in canonical form.
    func content(of answer: [UInt8]) -> [UInt8] {
        let bytes = answer.span
        var (writer, cursor) = (ProtobufWriter(), ProtobufCursor(0..<answer.count))
        writer.bytes.reserveCapacity(answer.count)
        do throws(ProtobufError) {
            var start = cursor.offset
            while let tag = try cursor.nextTag(in: bytes) {
                if tag.field == sourcesNumber, tag.wireType == .lengthDelimited {
                    let status = try cursor.lengthDelimited(in: bytes)
                    writer.bytesField(sourcesNumber, try SourceStatus.content(of: status, in: bytes))
                } else {
                    try cursor.skip(tag.wireType, in: bytes)
                    writer.bytes.append(copying: bytes.extracting(start..<cursor.offset))
                }
                start = cursor.offset
            }
        } catch {
            preconditionFailure("a composed answer is written by this program, and is a message")
        }
        return writer.bytes
    }
}

extension SourceStatus {
    fileprivate static func content(
        of status: Range<Int>, in bytes: Span<UInt8>
    ) throws(ProtobufError) -> [UInt8] {
        var (writer, cursor) = (ProtobufWriter(), ProtobufCursor(status))
        var start = cursor.offset
        while let tag = try cursor.nextTag(in: bytes) {
            try cursor.skip(tag.wireType, in: bytes)
            if tag.field != Field.message, tag.field != Field.age {
                writer.bytes.append(copying: bytes.extracting(start..<cursor.offset))
            }
            start = cursor.offset
        }
        return writer.bytes
    }
}
