internal import PorticoWire

/// A picture as clients get it: an encoded `portico.v1.Image` (Schemas/portico/v1/image.proto).
package struct StoredImage: Equatable, Sendable {
    package let message: [UInt8]
    /// Seconds since 1970, because pictures outlive the process.
    package let fetchedAt: Int64
    package let isPlaceholder: Bool

    private enum Field {
        static let data = 1
        static let contentType = 2
        static let placeholder = 3
        static let reason = 4
        static let etag = 5
    }

    package init(data: [UInt8], contentType: String, fetchedAt: Int64) {
        message = Self.message(data, contentType) { _ in }
        self.fetchedAt = fetchedAt
        isPlaceholder = false
    }

    /// The picture that stands for one that cannot be had.
    package init(placeholderBecause reason: String, fetchedAt: Int64) {
        message = Self.message(Self.placeholder, ImageFormat.png.rawValue) { writer in
            writer.boolField(Field.placeholder, true)
            writer.stringField(Field.reason, reason)
        }
        self.fetchedAt = fetchedAt
        isPlaceholder = true
    }

    /// A light grey square of 64 pixels.
    package static let placeholder = PNGStructure.plain(width: 64, height: 64, shade: 0xe0)

    private static func message(
        _ data: [UInt8], _ contentType: String, _ more: (inout ProtobufWriter) -> Void
    ) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytesField(Field.data, data)
        writer.stringField(Field.contentType, contentType)
        more(&writer)
        writer.stringField(Field.etag, SHA256.name(data))
        return writer.bytes
    }
}
