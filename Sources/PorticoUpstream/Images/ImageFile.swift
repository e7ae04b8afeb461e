internal import PorticoWire

/// A picture as the data of a ``DiskEntry``: protobuf, so that a later version can add to it.
///
/// `image = 1 bytes` (`portico.v1.Image`, encoded, as it is served); `etag = 2; entity_tag = 3; last_modified = 4 string`.
/// Type and time stand in the entry. The image `0a 01 64` with the etag `e` is `0a 03 0a 01 64 12 01 65`.
package enum ImageFile {
    private enum Field {
        static let image = 1
        static let etag = 2
        static let entityTag = 3
        static let lastModified = 4
    }

    package static func entry(_ image: StoredImage, key: String) -> DiskEntry {
        var writer = ProtobufWriter()
        writer.bytesField(Field.image, image.message)
        writer.stringField(Field.etag, image.etag)
        if let tag = image.validators.entityTag { writer.stringField(Field.entityTag, tag) }
        if let time = image.validators.lastModified { writer.stringField(Field.lastModified, time) }
        return DiskEntry(
            key: key, contentType: image.contentType, fetchedAt: image.fetchedAt, data: writer.bytes)
    }

    /// Nil: not such data.
    package static func image(_ entry: DiskEntry) -> StoredImage? {
        var (message, etag, validators) = ([UInt8](), "", Validators())
        var cursor = ProtobufCursor(0..<entry.data.count)
        let bytes = entry.data.span
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes) {
                switch tag.field {
                case Field.image: message = Array(entry.data[try cursor.range(tag, in: bytes)])
                case Field.etag: etag = try cursor.string(tag, in: bytes)
                case Field.entityTag: validators.entityTag = try cursor.string(tag, in: bytes)
                case Field.lastModified: validators.lastModified = try cursor.string(tag, in: bytes)
                default: try cursor.skip(tag.wireType, in: bytes)
                }
            }
        } catch {
            return nil
        }
        guard !message.isEmpty, !etag.isEmpty else { return nil }
        return StoredImage(
            message: message, contentType: entry.contentType, etag: etag, fetchedAt: entry.fetchedAt,
            validators: validators)
    }
}
