import CLinux
import Glibc
import PorticoWire
import Testing

@testable import PorticoEventLoop

/// Two connected sockets: one for a handler, one for the test to write to.
private struct SocketPair: ~Copyable {
    let near: Socket
    let far: Socket

    init() throws {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try system("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &numbers) }
        near = Socket(Descriptor(owning: numbers[0]))
        far = Socket(Descriptor(owning: numbers[1]))
    }
}

/// Writes down what happens to the near end of a pair.
private final class Recorder: ReadinessHandler {
    let pair: SocketPair
    var events: [String] = []
    var onEvent: (Recorder, Reactor) -> Void = { _, _ in }

    init() throws { pair = try SocketPair() }

    func descriptorReady(_ readiness: Readiness, on reactor: Reactor) {
        let names: [(Readiness, String)] = [(.readable, "r"), (.writable, "w"), (.broken, "b")]
        events.append(names.filter { readiness.contains($0.0) }.map(\.1).joined())
        onEvent(self, reactor)
    }

    func turnEnded(on reactor: Reactor) { events.append("end") }
    func loopStopped(on reactor: Reactor) { events.append("stopped") }
}

/// Runs turns of a reactor on the test's own thread: every step is the test's choice, nothing has to be waited for.
@Suite struct ReactorTests {
    private let loop: EventLoop
    private let reactor: Reactor

    init() throws {
        loop = try EventLoop()
        reactor = try Reactor(loop: loop)
    }

    /// One turn that does not wait.
    private func turn() {
        loop.execute { _ in }
        _ = reactor.runTurn()
    }

    private static let byte: [UInt8] = [1]

    @Test func aDescriptorIsReportedUntilItIsRead() throws {
        let recorder = try Recorder()
        _ = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        turn()
        #expect(recorder.events == [])
        _ = recorder.pair.far.send(Self.byte.span)
        turn()
        turn()
        #expect(recorder.events == ["r", "r"])
        let outcome = reactor.receive(from: recorder.pair.near) { #expect($0.count == 1) }
        #expect(outcome == .received(mayHaveMore: false))
        #expect(reactor.receive(from: recorder.pair.near) { _ in } == .wouldBlock)
        turn()
        #expect(recorder.events == ["r", "r"])
    }

    @Test func interestCanBePausedAndResumed() throws {
        let recorder = try Recorder()
        let registration = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        _ = recorder.pair.far.send(Self.byte.span)
        reactor.setInterest([], of: registration)
        turn()
        #expect(recorder.events == [])
        reactor.setInterest([.read, .write], of: registration)
        turn()
        #expect(recorder.events == ["rw"])
    }

    @Test func theEndOfThePeerIsReadable() throws {
        let recorder = try Recorder()
        _ = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        recorder.pair.far.finishSending()
        turn()
        #expect(recorder.events == ["r"])
        #expect(reactor.receive(from: recorder.pair.near) { _ in } == .endOfStream)
    }

    /// Both are ready in one batch; the first to hear of it ends the other.
    @Test func aHandlerRemovedInABatchHearsNoMore() throws {
        let recorders = [try Recorder(), try Recorder()]
        var registrations: [Registration] = []
        for recorder in recorders {
            _ = recorder.pair.far.send(Self.byte.span)
            registrations.append(
                try reactor.register(recorder.pair.near.number, for: .read, handler: recorder))
            recorder.onEvent = { heard, reactor in
                for (other, registration) in zip(recorders, registrations) where other !== heard {
                    reactor.deregister(registration)
                }
            }
        }
        turn()
        #expect(recorders.map(\.events.count).sorted() == [0, 1])
        #expect(reactor.handlerCount == 1)
        for recorder in recorders { recorder.onEvent = { _, _ in } }
    }

    @Test func anOldRegistrationFindsNobodyInItsPlace() throws {
        let recorder = try Recorder()
        let old = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        reactor.deregister(old)
        let new = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        #expect(reactor.handler(of: old) == nil)
        #expect(reactor.handler(of: new) === recorder)
        reactor.setInterest([], of: old)
        reactor.deregister(old)
        _ = recorder.pair.far.send(Self.byte.span)
        turn()
        #expect(recorder.events == ["r"])
    }

    @Test func theEndOfATurnComesAfterItsEventsJobsAndTimers() throws {
        let recorder = try Recorder()
        let registration = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        _ = recorder.pair.far.send(Self.byte.span)
        recorder.onEvent = { _, reactor in reactor.notifyAtTurnEnd(registration) }
        _ = reactor.schedule(after: .zero) { _ in recorder.events.append("timer") }
        turn()
        #expect(recorder.events == ["r", "timer", "end"])
    }

    @Test func everyHandlerHearsOfTheEnd() throws {
        let recorder = try Recorder()
        _ = try reactor.register(recorder.pair.near.number, for: .read, handler: recorder)
        reactor.shutDown()
        #expect(recorder.events == ["stopped"])
        #expect(reactor.handlerCount == 0)
    }

    @Test(arguments: [
        (nil, -1), (Duration.zero, 0), (.milliseconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
        (.microseconds(1001), 2), (.seconds(2), 2000), (.seconds(10_000_000), 1_000_000_000),
    ])
    func waitsAreRoundedUpToMilliseconds(timeout: Duration?, milliseconds: Int) {
        #expect(Int(Poller.milliseconds(timeout)) == milliseconds)
    }

    @Test func aQueueKeepsWhatTheKernelDoesNotTake() throws {
        let pair = try SocketPair()
        var queue = SendQueue()
        let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        queue.append(bytes.span)
        #expect(queue.flush(to: pair.near) == .pending)
        #expect(queue.count > 0 && queue.count < bytes.count)
        var received: [UInt8] = []
        while received.count < bytes.count {
            _ = reactor.receive(from: pair.far) { received.append(copying: $0) }
            _ = queue.flush(to: pair.near)
        }
        #expect(received == bytes)
        #expect(queue.flush(to: pair.near) == .drained)
    }

    /// Whatever the kernel takes of it at once.
    @Test(arguments: [1, 1000, 100_000, 3_000_000]) func whatIsLentArrivesInItsPlace(bytes: Int) throws {
        let pair = try SocketPair()
        let message = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var (copying, lending) = (FrameWriter([7, 7]), FrameWriter([7, 7], smallestLentBytes: 1))
        for start in stride(from: 0, to: bytes, by: 50_000) {
            let part = start..<min(bytes, start + 50_000)
            copying.payload(on: 1, .next, metadata: [8], data: message.span.extracting(part))
            lending.payload(on: 1, .next, metadata: [8], message: message, part)
        }
        copying.cancel(3)
        lending.cancel(3)
        var (queue, received) = (SendQueue(), [UInt8]())
        var (outcome, sentBytes) = queue.flush(&lending, to: pair.near)
        #expect(sentBytes + queue.count == copying.count)
        while received.count < copying.count {
            _ = reactor.receive(from: pair.far) { received.append(copying: $0) }
            lending = FrameWriter(queue.lend())
            let written = queue.flush(&lending, to: pair.near)
            outcome = written.outcome
            sentBytes += written.sentBytes
        }
        #expect(received == copying.bytes)
        #expect(outcome == .drained && sentBytes == copying.count && lending.count == 0)
    }

    @Test func sendingToAPeerThatIsGoneFailsWithoutASignal() throws {
        var numbers: [Int32] = [-1, -1]
        try system("socketpair") { unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) }
        let near = Socket(Descriptor(owning: numbers[0]))
        _ = Descriptor(owning: numbers[1])
        #expect(near.send(Self.byte.span) == .failed(errno: EPIPE))
        var output = FrameWriter(smallestLentBytes: 1)
        output.payload(on: 1, .next, metadata: nil, message: Self.byte, 0..<1)
        var queue = SendQueue()
        #expect(queue.flush(&output, to: near) == (.failed(errno: EPIPE), 0))
    }
}
