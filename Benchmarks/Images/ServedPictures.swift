import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoServer
import PorticoUpstream
import PorticoWire

/// A whole server that answers one image method from an ``ImageCache``, as `portico serve` does; its upstream is the set
/// itself, so that nothing but the cache is measured.
struct ServedPictures: AnswerSource {
    static let route = "benchmark.v1.Pictures/Get"

    private struct Upstream: HTTPTransport {
        let pictures: [[UInt8]]

        func send(
            _ request: PorticoUpstream.HTTPRequest
        ) async throws(TransportError) -> PorticoUpstream.HTTPResponse {
            guard let number = Int(request.url.path.dropFirst()) else { throw .malformed }
            return PorticoUpstream.HTTPResponse(status: 200, body: pictures[number])
        }
    }

    private let cache: ImageCache
    private let sources: [ImageCache.Source]

    /// Where pictures are found, again and again.
    enum Place {
        case memory
        /// There only: nothing is kept in memory.
        case disk(directory: String)

        init(words: [String]) { self = words.first.map(Place.disk) ?? .memory }

        var words: [String] {
            switch self {
            case .memory: []
            case .disk(let directory): [directory]
            }
        }
    }

    private init?(_ set: PictureSet, _ place: Place) {
        var images = Configuration.Images()
        images.shrinkPNG = false
        switch place {
        case .memory: images.memoryBytes = 1 << 30
        case .disk(let directory):
            images.directory = directory
            images.memoryBytes = 0
        }
        guard
            let client = UpstreamClient(
                name: "pictures", settings: .init(baseURL: "http://pictures.example/"),
                transport: Upstream(pictures: set.pictures))
        else { return nil }
        cache = ImageCache(images, UpstreamClient.Surroundings())
        sources = set.pictures.indices.map { ImageCache.Source(client: client, path: "\($0)") }
    }

    /// - Returns: the port of a server that has every picture.
    static func start(_ place: Place) async throws -> UInt16 {
        guard let pictures = ServedPictures(PictureSet(), place) else {
            throw BenchmarkFault.wrongResult("The image upstream cannot be set up.")
        }
        try await pictures.fill()
        return try await pictures.serve()
    }

    func observe(
        _ call: Call, tell: @escaping @Sendable (Observed) -> Void
    ) throws(CallError) -> Observation { throw CallError(.unimplemented, "pictures are not observed") }

    private func fill() async throws {
        for source in sources {
            _ = try await cache.answer(for: source, deadline: .now + .seconds(60))
            await cache.settle()
        }
    }

    /// Pictures do not change here.
    var generation: UInt64 { 0 }

    func cachedAnswer(to method: MethodID, request: Span<UInt8>) -> Answer? {
        number(request).flatMap { cache.cachedAnswer(for: sources[$0]) }
    }

    func answer(to call: Call) async throws(CallError) -> Answer {
        guard let number = number(call.request.span) else {
            throw CallError(.invalidArgument, "no such picture")
        }
        do {
            return try await cache.answer(for: sources[number], deadline: call.deadline)
        } catch {
            throw CallError(error)
        }
    }

    /// `08 NUMBER`
    private func number(_ request: Span<UInt8>) -> Int? {
        var cursor = ProtobufCursor(0..<request.count)
        guard let tag = try? cursor.nextTag(in: request), tag.field == 1,
            let number = try? cursor.varint(in: request), number < sources.count
        else { return nil }
        return Int(number)
    }

    /// One method, linked by hand.
    static let schema: Schema = {
        let place = SourceLocation(file: "benchmark.proto", line: 1, column: 1)
        let messages = ["Request", "Image"].map {
            MessageDescriptor(fullName: "benchmark.v1.\($0)", fields: [], location: place)
        }
        let path = PathTemplate(path: Template([.literal("picture")]), query: [])
        let method = MethodDescriptor(
            name: "Get", service: "benchmark.v1.Pictures", input: MessageID(0), output: MessageID(1),
            binding: .image(ImageBinding(base: "pictures", source: .path(path))), location: place)
        return Schema(messages: messages, enums: [], methods: [method], fileDescriptorSet: [])
    }()

    /// On a port of the system's choice.
    private func serve() async throws -> UInt16 {
        var configuration = Configuration(environment: "Benchmark")
        configuration.listen.address = "127.0.0.1:0"
        configuration.limits.queuedBytesPerConnection = 8 << 20
        let server = Server(
            configuration: configuration, schema: Self.schema, source: self,
            log: Log(Configuration.Log(), write: { _ in }))
        return UInt16(try await server.start().port ?? 0)
    }
}
