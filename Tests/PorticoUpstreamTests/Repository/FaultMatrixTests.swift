import PorticoConfig
import PorticoUpstream
import PorticoWire
import Synchronization
import Testing

/// Every way an upstream can fail, in every state of our own: what the caller gets, after how long, what the upstream
/// was asked, and that nothing is left over.
@Suite struct FaultMatrixTests {
    enum Fault: String, CaseIterable, Sendable {
        case unreachable, timedOut, hang, truncated, notHTTP, tooLong, status500, status503, status429,
            status404
        case html, truncatedJSON, emptyBody, redirectedAway, lostConnectionOnce, failsTwice

        /// What a caller is told who has nothing else to get; nil: an answer after all.
        var code: StatusCode? {
            switch self {
            case .unreachable, .status500, .status503, .redirectedAway: .unavailable
            case .timedOut, .hang: .deadlineExceeded
            case .truncated, .notHTTP, .tooLong, .html, .truncatedJSON, .emptyBody: .internal
            case .status429: .resourceExhausted
            case .status404: .notFound
            case .lostConnectionOnce, .failsTwice: nil
            }
        }

        /// Upstream calls for one answer, retries included.
        var calls: Int {
            switch self {
            case .unreachable, .timedOut, .truncated, .notHTTP, .status500, .status503, .status429,
                .failsTwice:
                3
            case .lostConnectionOnce: 2
            case .hang, .tooLong, .status404, .html, .truncatedJSON, .emptyBody, .redirectedAway: 1
            }
        }

        /// Until the caller knows; the dice make every pause nothing.
        var elapsed: Duration { self == .hang ? .seconds(30) : .zero }

        func answer(
            _ request: HTTPRequest, number: Int, hanging gate: Gate
        ) async throws(TransportError) -> HTTPResponse {
            switch self {
            case .unreachable: throw .unreachable
            case .timedOut: throw .timedOut
            case .hang:
                try await gate.pass()
                throw .unreachable
            case .truncated: throw .truncated(atByte: 9)
            case .notHTTP: throw .malformed
            case .tooLong: throw .bodyTooLong(limitBytes: 9)
            case .status500: return .json("{}", status: 500)
            case .status503: return .json("{}", status: 503)
            case .status429: return .json("{}", status: 429)
            case .status404: return .json("{}", status: 404)
            case .html: return .json("<html>")
            case .truncatedJSON: return .json(#"{"count":3,"results":[{"name":"i1""#)
            case .emptyBody: return .json("")
            case .redirectedAway:
                return .json("", status: 302, fields: [HTTPField("Location", "http://evil.example/")])
            case .lostConnectionOnce:
                if number == 1 { throw .reusedConnectionClosed }
                return thingsPage(request, count: 3)
            case .failsTwice:
                if number <= 2 { throw .unreachable }
                return thingsPage(request, count: 3)
            }
        }
    }

    /// A harness whose upstream has the fault from the second call on when `knows` the list, else from the first.
    private func harness(_ fault: Fault, _ gate: Gate, knows: Bool) async throws -> Harness {
        let harness = try Harness(dice: 0) { thingsPage($0, count: 3) }
        if knows { _ = try await harness.call(TestSchema.list) }
        let numbers = Numbers()
        harness.things.answer { request throws(TransportError) in
            try await fault.answer(request, number: numbers.next(), hanging: gate)
        }
        return harness
    }

    /// Lets the time pass that a hanging upstream takes.
    private func pass(_ fault: Fault, _ gate: Gate, _ clock: ManualClock, sleepers: Int) async {
        guard fault == .hang else { return }
        await gate.wait(arrivals: 1)
        await clock.waitForSleepers(sleepers)
        clock.advance(by: .seconds(30))
    }

    private func outcome(_ call: Task<Answer, any Error>) async -> Result<Answer.Origin, StatusCodeError> {
        do {
            return .success(try await call.value.origin)
        } catch let error as CallError {
            return .failure(StatusCodeError(code: error.code))
        } catch {
            return .failure(StatusCodeError(code: .unknown))
        }
    }

    private func expected(_ fault: Fault) -> Result<Answer.Origin, StatusCodeError> {
        fault.code.map { .failure(StatusCodeError(code: $0)) } ?? .success(.miss)
    }

    @Test(arguments: Fault.allCases) func cold(fault: Fault) async throws {
        let gate = Gate()
        let harness = try await harness(fault, gate, knows: false)
        let began = harness.clock.now
        let call = Task { try await harness.call(TestSchema.list) as Answer }
        await pass(fault, gate, harness.clock, sleepers: 1)
        #expect(await outcome(call) == expected(fault))
        #expect(harness.clock.now - began == fault.elapsed)
        #expect(harness.things.requests.count == fault.calls)
        #expect(await harness.isAtRest())
        #expect((harness.cached(TestSchema.list) == nil) == (fault.code != nil))
    }

    @Test(arguments: Fault.allCases) func fresh(fault: Fault) async throws {
        let gate = Gate()
        let harness = try await harness(fault, gate, knows: true)
        #expect(try await harness.call(TestSchema.list).origin == .hit)
        #expect(harness.things.requests.count == 1)
        #expect(await harness.isAtRest())
    }

    @Test(arguments: Fault.allCases) func stale(fault: Fault) async throws {
        let gate = Gate()
        let harness = try await harness(fault, gate, knows: true)
        harness.clock.advance(by: .seconds(61))
        let began = harness.clock.now
        let answer = try await harness.call(TestSchema.list)
        #expect(answer.origin == .stale && answer.age == .seconds(61))
        #expect(harness.clock.now == began)
        await pass(fault, gate, harness.clock, sleepers: 1)
        #expect(await harness.isAtRest())
        #expect(harness.things.requests.count == 1 + fault.calls)
        let next = try await harness.call(TestSchema.list)
        #expect(next.origin == (fault.code == nil ? .hit : .stale))
        await pass(fault, gate, harness.clock, sleepers: 1)
    }

    @Test(arguments: Fault.allCases) func manyWaiters(fault: Fault) async throws {
        let gate = Gate()
        let entrance = Gate()
        let harness = try await harness(fault, gate, knows: false)
        let numbers = Numbers()
        harness.things.answer { request throws(TransportError) in
            let number = numbers.next()
            if number == 1 { try await entrance.pass() }
            return try await fault.answer(request, number: number, hanging: gate)
        }
        let began = harness.clock.now
        let calls = (0..<20).map { _ in Task { try await harness.call(TestSchema.list) as Answer } }
        while harness.repository.inFlight.waiters < 20 { await Task.yield() }
        entrance.open()
        await pass(fault, gate, harness.clock, sleepers: 20)
        for call in calls { #expect(await outcome(call) == expected(fault)) }
        #expect(harness.clock.now - began == fault.elapsed)
        #expect(harness.things.requests.count == fault.calls)
        #expect(await harness.isAtRest())
    }
}

/// A ``StatusCode`` as the failure of a result.
private struct StatusCodeError: Error, Equatable {
    let code: StatusCode
}

/// Counts 1, 2, 3, … for whoever asks.
private final class Numbers: Sendable {
    private let latest = Mutex(0)

    func next() -> Int {
        latest.withLock { latest in
            latest += 1
            return latest
        }
    }
}
