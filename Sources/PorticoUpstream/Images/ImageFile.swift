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
    package static func image(_ entry: DiskEntry, limitBytes: Int) -> StoredImage? {
        var (message, etag, validators) = ([UInt8](), "", Validators())
        var (packed, length) = ([UInt8]?.none, UInt64(0))
        var cursor = ProtobufCursor(0..<entry.data.count)
        let bytes = entry.data.span
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes) {
                switch tag.field {
                case Field.image: message = Array(entry.data[try cursor.range(tag, in: bytes)])
                case Field.packed: packed = Array(entry.data[try cursor.range(tag, in: bytes)])
                case Field.length: length = try cursor.varint(in: bytes)
                case Field.etag: etag = try cursor.string(tag, in: bytes)
                case Field.entityTag: validators.entityTag = try cursor.string(tag, in: bytes)
                case Field.lastModified: validators.lastModified = try cursor.string(tag, in: bytes)
                default: try cursor.skip(tag.wireType, in: bytes)
                }
            }
        } catch {
            return nil
        }
        if let packed {
            guard length <= limitBytes, let plain = Deflate.decompress(packed, length: Int(length)) else {
                return nil
            }
            message = plain
        }
        guard !message.isEmpty, !etag.isEmpty else { return nil }
        return StoredImage(
            message: message, packed: packed, contentType: entry.contentType, etag: etag,
            fetchedAt: entry.fetchedAt,
            validators: validators)
    }
}
