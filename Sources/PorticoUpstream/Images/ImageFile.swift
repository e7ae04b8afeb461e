internal import PorticoWire

/// A picture as the data of a ``DiskEntry``: protobuf, so that a later version can add to it.
///
/// `image = 1 bytes` (`portico.v1.Image`, encoded, as it is served), or `packed = 5 bytes` (the same deflated, as it is served
/// too) and `length = 6 uint64` (of the image); `etag = 2; entity_tag = 3; last_modified = 4 string`.
/// Type and time stand in the entry. The image `0a 01 64` with the etag `e` is `0a 03 0a 01 64 12 01 65`.
package enum ImageFile {
    private enum Field {
        static let image = 1
        static let etag = 2
        static let entityTag = 3
        static let lastModified = 4
        static let packed = 5
        static let length = 6
    }

    package static func entry(_ image: StoredImage, key: String) -> DiskEntry {
        var writer = ProtobufWriter()
        if let packed = image.packed {
            writer.varintField(Field.length, UInt64(image.message.count))
            writer.bytesField(Field.packed, packed)
        } else {
            writer.bytesField(Field.image, image.message)
        }
        writer.stringField(Field.etag, image.etag)
        if let tag = image.validators.entityTag { writer.stringField(Field.entityTag, tag) }
        if let time = image.validators.lastModified { writer.stringField(Field.lastModified, time) }
        return DiskEntry(
            key: key, contentType: image.contentType, fetchedAt: image.fetchedAt, data: writer.bytes)
    }

    /// Nil: not such data.
    ///
    /// - Parameter limitBytes: of the image; checked before it is inflated.
    package static func image(_ entry: consuming DiskEntry, limitBytes: Int) -> StoredImage? {
        guard let parts = Parts(entry.data.span) else { return nil }
        let (contentType, fetchedAt) = (entry.contentType, entry.fetchedAt)
        // In place: there is no other use for the entry's storage.
        var bytes = exchange(&entry.data, with: [])
        bytes.removeSubrange(parts.form.upperBound...)
        bytes.removeFirst(parts.form.lowerBound)
        var (message, packed) = (bytes, [UInt8]?.none)
        if let length = parts.length {
            guard length <= limitBytes, let plain = Deflate.decompress(bytes, length: length) else {
                return nil
            }
            (message, packed) = (plain, bytes)
        }
        return StoredImage(
            message: message, packed: packed, contentType: contentType, etag: parts.etag,
            fetchedAt: fetchedAt, validators: parts.validators)
    }

    private struct Parts {
        /// The image, or the image deflated.
        private(set) var form = 0..<0
        /// Of the image when it is deflated.
        private(set) var length: Int?
        private(set) var etag = ""
        private(set) var validators = Validators()

        /// Nil: not such data.
        init?(_ bytes: Span<UInt8>) {
            do throws(ProtobufError) { try read(bytes) } catch { return nil }
            guard !form.isEmpty, !etag.isEmpty else { return nil }
        }

        private mutating func read(_ bytes: Span<UInt8>) throws(ProtobufError) {
            var cursor = ProtobufCursor(0..<bytes.count)
            while let tag = try cursor.nextTag(in: bytes) {
                switch tag.field {
                case Field.image, Field.packed: form = try cursor.range(tag, in: bytes)
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
