import Foundation
import PorticoClient
import PorticoSchema
import PorticoTranscode
import PorticoWire

/// Shows one method's answers: JSON on standard output or in a file, what else is to be known on standard error.
struct ReplyPrinter {
    private let encoder: RecordEncoder
    private let isImage: Bool
    private let file: String?
    private let console: Console

    /// - Parameter file: where answers go; of a `portico.v1.Image` it gets the picture itself. Nil: standard output.
    init(method: MethodDescriptor, schema: Schema, file: String?, console: Console) {
        encoder = RecordEncoder(schema: schema, message: method.output)
        isImage = schema[method.output].fullName == "portico.v1.Image"
        self.file = file
        self.console = console
    }

    func show(_ reply: Reply) throws(RemoteServer.Fault) {
        if reply.skippedItems > 0 {
            console.complain("portico: left out for not fitting the schema: \(reply.skippedItems)")
        }
        if reply.missingJoins > 0 {
            console.complain("portico: without the record that they name: \(reply.missingJoins)")
        }
        if reply.origin == .stale {
            console.complain(
                "portico: this is the kept answer, \(reply.age.components.seconds) s old; a newer one is being fetched"
            )
        }
        guard let file, isImage else {
            try put(json(of: reply.message), in: file)
            return
        }
        let image = try picture(in: reply.message)
        try put(image.data, in: file)
        let note = image.isPlaceholder ? ", the placeholder: \(image.reason)" : ""
        console.complain("portico: \(image.data.count) bytes of \(image.contentType)\(note)")
    }

    private func json(of message: [UInt8]) throws(RemoteServer.Fault) -> [UInt8] {
        var json: [UInt8] = []
        do {
            try encoder.encode(message.span, into: &json)
        } catch {
            throw RemoteServer.Fault(.unavailable, "the server's answer cannot be read: \(error)")
        }
        return JSONIndenter.indented(json) + [UInt8(ascii: "\n")]
    }

    private func put(_ bytes: [UInt8], in file: String?) throws(RemoteServer.Fault) {
        guard let file else {
            console.write(bytes)
            return
        }
        do {
            try Data(bytes).write(to: URL(filePath: file))
        } catch {
            throw RemoteServer.Fault(
                .usage, "\(file) cannot be written; is there such a directory, and may you write there?")
        }
    }

    private struct Picture {
        var data: [UInt8] = []
        var contentType = ""
        var isPlaceholder = false
        var reason = ""
    }

    /// `portico.v1.Image`, Schemas/portico/v1/image.proto.
    private func picture(in message: [UInt8]) throws(RemoteServer.Fault) -> Picture {
        var picture = Picture()
        var cursor = ProtobufCursor(message.indices)
        let bytes = message.span
        do throws(ProtobufError) {
            while let tag = try cursor.nextTag(in: bytes) {
                switch tag.field {
                case 1: picture.data = Array(copying: bytes.extracting(try cursor.range(tag, in: bytes)))
                case 2: picture.contentType = try cursor.string(tag, in: bytes)
                case 3: picture.isPlaceholder = try cursor.bool(tag, in: bytes)
                case 4: picture.reason = try cursor.string(tag, in: bytes)
                default: try cursor.skip(tag.wireType, in: bytes)
                }
            }
        } catch {
            throw RemoteServer.Fault(.unavailable, "the server's image cannot be read, byte \(error.offset)")
        }
        return picture
    }
}
