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
            // What a server or its upstreams say must not steer a terminal.
            self.message = String(
                message.unicodeScalars.map { scalar -> Character in
                    scalar == "\n" || scalar.properties.generalCategory != .control
                        ? Character(scalar) : "\u{FFFD}"
                })
        }

        /// A failed call keeps its server's words.
        init(_ error: any Error) {
            guard let error = error as? PorticoClientError else {
                let what = error is CancellationError ? "interrupted" : "the server's answer cannot be read"
                self.init(.unavailable, what)
                return
            }
            switch error {
            case .badAddress: self.init(.usage, error.description)
            case .failed(StatusCode.unauthenticated.name, _):
                self.init(.refused, "\(error); give one with --token, or in PORTICO_TOKEN")
            case .failed: self.init(.refused, error.description)
            case .unreachable, .disconnected, .protocolViolation: self.init(.unavailable, error.description)
            }
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
            throw Fault(error)
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

    /// A method as `Control/ListMethods` tells it.
    struct Method {
        var route = ""
        var documentation = ""
        /// The documentation's first sentence.
        var summary: String { String(documentation.prefix { $0 != "\n" }) }
    }

    /// In the order of the schemas.
    func methods() async throws(Fault) -> [Method] {
        do {
            let answer = try await client.call("portico.v1.Control/ListMethods", request: []).message
            return try Self.methods(in: answer)
        } catch {
            throw Fault(error)
        }
    }

    /// - Parameter answer: `portico.v1.MethodList`: repeated methods, each with route = 1 and documentation = 4.
    private static func methods(in answer: [UInt8]) throws(ProtobufError) -> [Method] {
        let bytes = answer.span
        var methods: [Method] = []
        var list = ProtobufCursor(answer.indices)
        while let tag = try list.nextTag(in: bytes) {
            var fields = ProtobufCursor(try list.range(tag, in: bytes))
            var method = Method()
            while let tag = try fields.nextTag(in: bytes) {
                switch tag.field {
                case 1: method.route = try fields.string(tag, in: bytes)
                case 4: method.documentation = try fields.string(tag, in: bytes)
                default: try fields.skip(tag.wireType, in: bytes)
                }
            }
            methods.append(method)
        }
        return methods
    }

    func method(_ route: String) throws(Fault) -> MethodDescriptor {
        if let id = schema.method(route: route) { return schema[id] }
        let nearest = Spelling.nearest(to: route, among: schema.methods.map(\.route))
        throw Fault(
            .usage,
            "the server has no method \(route)"
                + (nearest.map { "; did you mean \($0)?" } ?? "; see portico list"))
    }
}
