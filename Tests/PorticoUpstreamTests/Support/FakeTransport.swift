import PorticoUpstream
import Synchronization

/// An upstream inside the test.
final class FakeTransport: HTTPTransport {
    typealias Answering = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

    private let state = Mutex<[HTTPRequest]>([])
    private let behaviour: Mutex<Answering>

    init(_ answer: @escaping Answering) { behaviour = Mutex(answer) }

    /// In the order of their arrival.
    var requests: [HTTPRequest] { state.withLock { $0 } }
    /// Paths with their queries.
    var targets: [String] {
        requests.map { request in request.url.path + (request.url.query.map { "?\($0)" } ?? "") }
    }

    func answer(_ answer: @escaping Answering) { behaviour.withLock { $0 = answer } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.append(request) }
        let answer = behaviour.withLock { $0 }
        return try await answer(request)
    }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200, fields: [HTTPField] = []) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields, body: Array(text.utf8))
    }
}

/// Holds calls back until a test lets them go on.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var held: [Int: CheckedContinuation<Bool, Never>] = [:]
        var cancelled: Set<Int> = []
        var ids = 0
        var arrivals = 0
        var departures = 0
        var watchers: [(arrivals: Int, departures: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func metWatchers() -> [CheckedContinuation<Void, Never>] {
            let (arrivals, departures) = (arrivals, departures)
            let met = watchers.filter { $0.arrivals <= arrivals && $0.departures <= departures }
            watchers.removeAll { $0.arrivals <= arrivals && $0.departures <= departures }
            return met.map(\.continuation)
        }
    }

    private let state = Mutex(State())

    func pass() async throws(TransportError) {
        let id = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        let mayPass = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in arrive(id, continuation) }
        } onCancel: {
            leave(id)
        }
        if !mayPass { throw .cancelled }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return Array(state.held.values)
        }
        for continuation in held { continuation.resume(returning: true) }
    }

    /// Returns once so many have come, and so many of them were cancelled.
    func wait(arrivals: Int, departures: Int = 0) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.arrivals >= arrivals, state.departures >= departures { return true }
                state.watchers.append((arrivals, departures, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    private func arrive(_ id: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let (passes, met) = state.withLock { state in
            state.arrivals += 1
            let passes: Bool? = state.cancelled.contains(id) ? false : state.isOpen ? true : nil
            if passes == nil { state.held[id] = continuation }
            return (passes, state.metWatchers())
        }
        if let passes { continuation.resume(returning: passes) }
        for watcher in met { watcher.resume() }
    }

    private func leave(_ id: Int) {
        let (held, met) = state.withLock { state in
            state.departures += 1
            let held = state.held.removeValue(forKey: id)
            if held == nil { state.cancelled.insert(id) }
            return (held, state.metWatchers())
        }
        held?.resume(returning: false)
        for watcher in met { watcher.resume() }
    }
}
