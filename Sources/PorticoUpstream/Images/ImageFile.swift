internal import PorticoWire

/// A picture as the data of a ``DiskEntry``: `form facts formBytes:u32`.
///
/// The form is the encoded `portico.v1.Image` as it is served, or that deflated, as it is served too. It comes first, so that it
/// need not be copied out of what was read. The facts are protobuf, so that a later version can add to them: `etag = 2;
/// entity_tag = 3; last_modified = 4 string`, and of a deflated form `length = 6 uint64`, of the image. Type and time stand
/// in the entry. The image `0a 01 64` with the etag `e` is `0a 01 64 12 01 65 00000003`.
package enum ImageFile {
    private enum Field {
        static let etag = 2
        static let entityTag = 3
        static let lastModified = 4
        static let length = 6
    }

    private static let countBytes = 4

    package static func entry(_ image: StoredImage, key: String) -> DiskEntry {
        var facts = ProtobufWriter()
        facts.stringField(Field.etag, image.etag)
        if let tag = image.validators.entityTag { facts.stringField(Field.entityTag, tag) }
        if let time = image.validators.lastModified { facts.stringField(Field.lastModified, time) }
        if image.packed != nil { facts.varintField(Field.length, UInt64(image.message.count)) }
        let form = image.packed ?? image.message
        var data = form + facts.bytes
        data.append(bigEndian: UInt64(form.count), bytes: countBytes)
        return DiskEntry(key: key, contentType: image.contentType, fetchedAt: image.fetchedAt, data: data)
    }

    /// Nil: not such data.
    ///
    /// - Parameter limitBytes: of the image; checked before it is inflated.
    package static func image(_ entry: consuming DiskEntry, limitBytes: Int) -> StoredImage? {
        let end = entry.data.count - countBytes
        guard end >= 0 else { return nil }
        let formBytes = Int(entry.data.bigEndian(at: end, bytes: countBytes))
        guard 0 < formBytes, formBytes <= end,
            let facts = Facts(entry.data.span.extracting(formBytes..<end))
        else { return nil }
        let (contentType, fetchedAt) = (entry.contentType, entry.fetchedAt)
        var form = exchange(&entry.data, with: [])
        form.removeLast(form.count - formBytes)
        var (message, packed) = (form, [UInt8]?.none)
        if let length = facts.length {
            guard length <= limitBytes, let plain = Deflate.decompress(form, length: length) else {
                return nil
            }
            (message, packed) = (plain, form)
        }
        return StoredImage(
            message: message, packed: packed, contentType: contentType, etag: facts.etag,
            fetchedAt: fetchedAt, validators: facts.validators)
    }

    private struct Facts {
        /// Of the image when it is deflated.
        private(set) var length: Int?
        private(set) var etag = ""
        private(set) var validators = Validators()

        /// Nil: not such data.
        init?(_ bytes: Span<UInt8>) {
            do throws(ProtobufError) { try read(bytes) } catch { return nil }
            guard !etag.isEmpty else { return nil }
        }

        private mutating func read(_ bytes: Span<UInt8>) throws(ProtobufError) {
            var cursor = ProtobufCursor(0..<bytes.count)
            while let tag = try cursor.nextTag(in: bytes) {
                switch tag.field {
                case Field.length: length = Int(clamping: try cursor.varint(in: bytes))
                case Field.etag: etag = try cursor.string(tag, in: bytes)
                case Field.entityTag: validators.entityTag = try cursor.string(tag, in: bytes)
                case Field.lastModified: validators.lastModified = try cursor.string(tag, in: bytes)
                default: try cursor.skip(tag.wireType, in: bytes)
                }
            }
        }
    }
}
