import Foundation
import PorticoClient
import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoWire

/// A running server and the schema it gave: what the commands that talk to one have in common.
struct RemoteServer {
    let client: PorticoClient
    let schema: Schema

    /// Why a command could not do its work, with the exit status that says so.
    struct Fault: Error {
        let status: ExitStatus
        let message: String

        init(_ status: ExitStatus, _ message: String) {
            self.status = status
            self.message = message
        }
    }

    static func connect(_ options: RemoteOptions, in process: ProcessContext = .current) async throws(Fault)
        -> RemoteServer
    {
        var connection = ConnectionOptions(token: options.token ?? process.variables["PORTICO_TOKEN"])
        connection.clientID = "portico-command-line"
        connection.platform = "linux"
        do {
            let client = try PorticoClient.connect(to: options.address, options: connection)
            let reply = try await client.call("portico.v1.Control/GetSchema", request: [])
            return RemoteServer(client: client, schema: try schema(from: reply.message))
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(.unavailable, Self.sentence(error))
        }
    }

    /// - Parameter answer: `portico.v1.SchemaFiles`; its field 1 holds the descriptors.
    private static func schema(from answer: [UInt8]) throws -> Schema {
        let bytes = answer.span
        var cursor = ProtobufCursor(answer.indices)
        while let tag = try cursor.nextTag(in: bytes) {
            guard tag.field == 1 else {
                try cursor.skip(tag.wireType, in: bytes)
                continue
            }
            return try SchemaCompiler.decode(
                fileDescriptorSet: bytes.extracting(try cursor.range(tag, in: bytes)))
        }
        throw Fault(.unavailable, "the server gives no schema")
    }

    func method(_ route: String) throws(Fault) -> MethodDescriptor {
        if let id = schema.method(route: route) { return schema[id] }
        let nearest = Spelling.nearest(to: route, among: schema.methods.map(\.route))
        throw Fault(
            .usage,
            "the server has no method \(route)"
                + (nearest.map { "; did you mean \($0)?" } ?? "; see portico list"))
    }

    /// A failed call keeps its server's words.
    static func sentence(_ error: any Error) -> String {
        (error as? PorticoClientError)?.description ?? "\(error)"
    }
}
