internal import PorticoWire

/// An answer as the data of a ``DiskEntry``: protobuf, so that a later version can add to it.
///
/// `message = 1 bytes; skipped_items = 2; entity_tag = 3 string; last_modified = 4 string; lifetime_ms = 5 (absent: nothing was
/// said)`. When it was fetched stands in the entry. The message `08 01` of an answer that skipped nothing is `0a 02 08 01`.
package enum AnswerFile {
    private enum Field {
        static let message = 1
        static let skippedItems = 2
        static let entityTag = 3
        static let lastModified = 4
        static let lifetime = 5
    }

    package static func encode(_ answer: StoredAnswer) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytesField(Field.message, answer.message)
        if answer.skippedItems > 0 { writer.varintField(Field.skippedItems, UInt64(answer.skippedItems)) }
        if let tag = answer.validators.entityTag { writer.stringField(Field.entityTag, tag) }
        if let time = answer.validators.lastModified { writer.stringField(Field.lastModified, time) }
        if let lifetime = answer.said.lifetime {
            writer.varintField(Field.lifetime, UInt64(max(0, lifetime.milliseconds)))
        }
        return writer.bytes
    }

    /// Nil: not such data.
    package static func decode(_ data: [UInt8], fetchedAt: ContinuousClock.Instant) -> StoredAnswer? {
        var answer = StoredAnswer(message: [], skippedItems: 0, fetchedAt: fetchedAt)
        var cursor = ProtobufCursor(0..<data.count)
        let span = data.span
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: span) {
                switch (tag.field, tag.wireType) {
                case (Field.message, .lengthDelimited):
                    answer.message = Array(data[try cursor.lengthDelimited(in: span)])
                case (Field.skippedItems, .varint):
                    answer.skippedItems = Int(truncatingIfNeeded: try cursor.varint(in: span))
                case (Field.entityTag, .lengthDelimited):
                    answer.validators.entityTag = text(data[try cursor.lengthDelimited(in: span)])
                case (Field.lastModified, .lengthDelimited):
                    answer.validators.lastModified = text(data[try cursor.lengthDelimited(in: span)])
                case (Field.lifetime, .varint):
                    answer.said.lifetime = .milliseconds(
                        Int64(truncatingIfNeeded: try cursor.varint(in: span)))
                default: try cursor.skip(tag.wireType, in: span)
                }
            }
        } catch {
            return nil
        }
        return answer
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)
    }
}
