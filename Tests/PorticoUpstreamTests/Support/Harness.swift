import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

/// A repository over ``TestSchema`` with upstreams inside the test and a clock that stands still.
struct Harness: Sendable {
    let clock = ManualClock()
    let things: FakeTransport
    let pictures: FakeTransport
    let repository: Repository
    let log = EventLog()

    init(
        dice: Double = 0.5, pictures: @escaping FakeTransport.Answering = { _ in .json("", status: 404) },
        configure: (inout Configuration) -> Void = { _ in },
        things: @escaping FakeTransport.Answering
    ) throws {
        let fakes = ["things": FakeTransport(things), "pictures": FakeTransport(pictures)]
        self.things = try #require(fakes["things"])
        self.pictures = try #require(fakes["pictures"])
        var configuration = Configuration(environment: "Test")
        configuration.upstreams["things"] = .init(baseURL: "http://things.example/api/")
        configuration.upstreams["pictures"] = .init(baseURL: "https://pictures.example/p/")
        configure(&configuration)
        let log = log
        repository = try Repository(
            schema: TestSchema.schema, configuration: configuration,
            surroundings: .init(clock: clock, dice: Dice { dice }, events: { log.add($0) }),
            transports: { name, _ in fakes[name]! })
    }

    /// One for pictures: each is asked for once, and none is shrunk behind the test's back.
    static func ofPictures(
        directory: String? = nil, things: @escaping FakeTransport.Answering = { _ in .json("{}") },
        configure: (inout Configuration) -> Void = { _ in }, _ pictures: @escaping FakeTransport.Answering
    ) throws -> Harness {
        try Harness(
            pictures: pictures,
            configure: {
                $0.images.directory = directory
                $0.images.shrinkPNG = false
                $0.upstreams["pictures"]?.retry.attempts = 1
                configure(&$0)
            }, things: things)
    }

    /// - Parameter timeout: until the caller's deadline.
    func call(
        _ method: MethodID, _ request: [UInt8] = [], timeout: Duration = .seconds(30),
        idempotencyKey: String? = nil, identity: Identity = .everyone
    ) async throws(CallError) -> Answer {
        try await repository.answer(
            to: Call(
                method: method, request: request, deadline: clock.now + timeout,
                idempotencyKey: idempotencyKey, identity: identity))
    }

    func cached(_ method: MethodID, _ request: [UInt8] = []) -> Answer? {
        repository.cachedAnswer(to: method, request: request.span)
    }

    /// Lets everything that runs by itself come to rest.
    func settle() async {
        while repository.inFlight.flights + repository.inFlight.background > 0 { await Task.yield() }
    }

    /// Whether nobody waits, nothing is under way and no timer is left; it lets cancelled timers end first.
    func isAtRest() async -> Bool {
        await settle()
        while clock.sleeperCount > 0 { await Task.yield() }
        let isIdle = repository.statistics.upstreams.allSatisfy { $0.running == 0 && $0.waiting == 0 }
        return isIdle && repository.inFlight == (0, 0, 0)
    }

    /// How many HTTP calls ended so.
    func calls(_ outcome: CallTally.Outcome) -> Int {
        repository.statistics.upstreams.first { $0.name == "things" }?.calls[outcome] ?? 0
    }
}

final class EventLog: Sendable {
    private let events = Mutex<[UpstreamEvent]>([])
    var all: [UpstreamEvent] { events.withLock { $0 } }
    func add(_ event: UpstreamEvent) { events.withLock { $0.append(event) } }
}

enum Request {
    static func page(_ page: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varintField(1, UInt64(page))
        return writer.bytes
    }

    static func text(_ field: Int, _ text: String) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.stringField(field, text)
        return writer.bytes
    }

    static func picture(width: Int, path: String) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varintField(1, UInt64(width))
        writer.stringField(2, path)
        return writer.bytes
    }
}

extension Answer {
    func fields(_ message: MessageID) throws -> MessageFields {
        try MessageFields(schema: TestSchema.schema, message: message, bytes: self.message)
    }

    /// Compact JSON of the answer.
    func json(_ id: MessageID) throws -> String {
        var text: [UInt8] = []
        try RecordEncoder(schema: TestSchema.schema, message: id, maximumDepth: 20).encode(
            message.span, into: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// A list of `count` items `i1`, `i2`, … of kinds `a`, `b`, `c` in turn, ten a page, as an upstream serves it.
func thingsPage(_ request: HTTPRequest, count: Int) -> HTTPResponse {
    let page =
        request.url.query?.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap {
            Int($0.dropFirst(5))
        } ?? 1
    let numbers = Array(1...max(1, count)).prefix(count).dropFirst((page - 1) * 10).prefix(10)
    guard !numbers.isEmpty || page == 1 else { return .json("{}", status: 404) }
    let items = numbers.map { #"{"name":"i\#($0)","kind":"\#(["a", "b", "c"][$0 % 3])"}"# }
    let next = page * 10 < count ? "\"http://things.example/api/items/?page=\(page + 1)\"" : "null"
    return .json(#"{"count":\#(count),"next":\#(next),"results":[\#(items.joined(separator: ","))]}"#)
}
