internal import PorticoWire

/// A picture as clients get it: an encoded `portico.v1.Image` (Schemas/portico/v1/image.proto).
package struct StoredImage: Equatable, Sendable {
    package let message: [UInt8]
    /// `message` deflated, as it is kept on disk and sent to clients that take it; nil: it saves too little.
    package let packed: [UInt8]?
    package let contentType: String
    /// Of the content; a client that sends it has the picture already.
    package let etag: String
    package let isPlaceholder: Bool
    /// Seconds since 1970, because pictures outlive the process.
    package var fetchedAt: Int64
    /// The upstream's own, to ask it whether the picture still holds.
    package var validators: Validators

    enum Field {
        static let data = 1
        static let contentType = 2
        static let placeholder = 3
        static let reason = 4
        static let etag = 5
        static let notModified = 7
    }

    package init(data: [UInt8], contentType: String, fetchedAt: Int64, validators: Validators = Validators())
    {
        etag = SHA256.name(data)
        message = Self.message(data, contentType, etag) { _ in }
        packed = Deflate.worthwhile(message)
        self.contentType = contentType
        self.fetchedAt = fetchedAt
        self.validators = validators
        isPlaceholder = false
    }

    /// The picture that stands for one that cannot be had.
    package init(placeholderBecause reason: String, fetchedAt: Int64) {
        contentType = ImageFormat.png.rawValue
        etag = Self.placeholderEtag
        message = Self.message(Self.placeholder, contentType, etag) { writer in
            writer.boolField(Field.placeholder, true)
            writer.stringField(Field.reason, reason)
        }
        packed = nil
        self.fetchedAt = fetchedAt
        validators = Validators()
        isPlaceholder = true
    }

    /// A picture that was kept, its message as it was.
    init(
        message: [UInt8], packed: [UInt8]?, contentType: String, etag: String, fetchedAt: Int64,
        validators: Validators
    ) {
        self.message = message
        self.packed = packed
        self.contentType = contentType
        self.etag = etag
        self.fetchedAt = fetchedAt
        self.validators = validators
        isPlaceholder = false
    }

    /// The picture itself; nil: `message` is none of ours.
    package var data: [UInt8]? {
        var cursor = ProtobufCursor(0..<message.count)
        let bytes = message.span
        guard let tag = try? cursor.nextTag(in: bytes), tag.field == Field.data,
            let range = try? cursor.range(tag, in: bytes)
        else { return nil }
        return Array(message[range])
    }

    /// The same pixels in fewer bytes. The etag stays, so that a client that has the picture need not take it again.
    func shrunk(to data: [UInt8]) -> StoredImage {
        let message = Self.message(data, contentType, etag) { _ in }
        return StoredImage(
            message: message, packed: Deflate.worthwhile(message), contentType: contentType, etag: etag,
            fetchedAt: fetchedAt, validators: validators)
    }

    /// In memory.
    var bytes: Int { message.count + (packed?.count ?? 0) }

    /// For those who send it.
    var deflated: Answer.Deflated { packed.map(Answer.Deflated.atHand) ?? .notWorthwhile }

    /// The answer for a client that has it: no bytes.
    package var notModified: [UInt8] {
        var writer = ProtobufWriter()
        writer.stringField(Field.contentType, contentType)
        writer.stringField(Field.etag, etag)
        writer.boolField(Field.notModified, true)
        return writer.bytes
    }

    /// A light grey square of 64 pixels.
    package static let placeholder = PNGStructure.plain(width: 64, height: 64, shade: 0xe0)
    private static let placeholderEtag = SHA256.name(placeholder)

    private static func message(
        _ data: [UInt8], _ contentType: String, _ etag: String, _ more: (inout ProtobufWriter) -> Void
    ) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.bytesField(Field.data, data)
        writer.stringField(Field.contentType, contentType)
        more(&writer)
        writer.stringField(Field.etag, etag)
        return writer.bytes
    }
}
