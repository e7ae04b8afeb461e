import PorticoWire
import Testing

@testable import PorticoClient

@Suite struct ConversationTests {
    /// The frames a server would send, without length prefixes.
    private func frames(_ write: (inout FrameWriter) -> Void) throws -> [[UInt8]] {
        var writer = FrameWriter()
        write(&writer)
        var splitter = FrameSplitter(limitBytes: FrameWriter.maximumFrameBytes)
        var offset = 0
        var frames: [[UInt8]] = []
        while let found = try splitter.next(in: writer.bytes.span, from: &offset) {
            guard case .inPlace(let range) = found else { continue }
            frames.append(Array(writer.bytes[range]))
        }
        return frames
    }

    /// A literal's span would outlive it: each is bound to a name first.
    private func payload(
        _ flags: FrameFlags, metadata: [UInt8]? = nil, data: [UInt8], to writer: inout FrameWriter
    ) {
        writer.payload(on: 1, flags, metadata: metadata, data: data.span)
    }

    private func keepalive(_ flags: FrameFlags, data: [UInt8], to writer: inout FrameWriter) {
        writer.keepalive(flags, data: data.span)
    }

    private func events(
        of conversation: inout Conversation, _ write: (inout FrameWriter) -> Void
    ) throws -> [Conversation.Event] {
        var events: [Conversation.Event] = []
        for frame in try frames(write) { events.append(try conversation.received(frame.span)) }
        return events
    }

    @Test func streamsAreNumberedWithOddNumbers() {
        var conversation = Conversation(limitBytes: 100)
        let ids = [
            conversation.begin(.response), conversation.begin(.fireAndForget), conversation.begin(.stream),
        ]
        #expect(ids == [1, 3, 5])
    }

    @Test(arguments: [1, 2, 7, 100]) func anAnswerIsWholeWhateverItsFragments(size: Int) throws {
        var conversation = Conversation(limitBytes: 1000)
        _ = conversation.begin(.response)
        let data = (0..<100).map { UInt8($0) }
        let events = try events(of: &conversation) { writer in
            for start in stride(from: 0, to: data.count, by: size) {
                let end = min(start + size, data.count)
                let flags: FrameFlags = end == data.count ? [.next, .complete] : [.next, .follows]
                payload(flags, metadata: start == 0 ? [9] : nil, data: Array(data[start..<end]), to: &writer)
            }
        }
        #expect(events.dropLast().allSatisfy { $0 == .none })
        #expect(events.last == .answered(streamID: 1, metadata: [9], data: data, isLast: true))
    }

    @Test func aSingleAnswerEndsItsStreamEvenWithoutTheCompleteFlag() throws {
        var conversation = Conversation(limitBytes: 100)
        _ = conversation.begin(.response)
        let events = try events(of: &conversation) { writer in
            payload(.next, data: [7], to: &writer)
            payload(.next, data: [8], to: &writer)
        }
        #expect(events == [.answered(streamID: 1, metadata: [], data: [7], isLast: true), .none])
    }

    @Test func anObservedStreamGoesOnUntilItIsComplete() throws {
        var conversation = Conversation(limitBytes: 100)
        _ = conversation.begin(.stream)
        let events = try events(of: &conversation) { writer in
            payload(.next, data: [7], to: &writer)
            payload(.complete, data: [UInt8](), to: &writer)
            payload(.next, data: [8], to: &writer)
        }
        #expect(
            events == [
                .answered(streamID: 1, metadata: [], data: [7], isLast: false), .completed(streamID: 1),
                .none,
            ])
    }

    @Test func anAnswerAboveTheLimitIsAFaultBeforeItIsWhole() throws {
        var conversation = Conversation(limitBytes: 10)
        _ = conversation.begin(.response)
        var fault: WireError?
        do {
            _ = try events(of: &conversation) { writer in
                payload([.next, .follows], data: [UInt8](repeating: 0, count: 6), to: &writer)
                payload([.next, .follows], data: [UInt8](repeating: 0, count: 6), to: &writer)
            }
        } catch {
            fault = error as? WireError
        }
        #expect(fault == .frameTooLong(declared: 12, limit: 10))
    }

    @Test func errorsKeepaliveAndFramesOfUnknownStreams() throws {
        var conversation = Conversation(limitBytes: 100)
        _ = conversation.begin(.response)
        let events = try events(of: &conversation) { writer in
            keepalive(.respond, data: [1, 2], to: &writer)
            keepalive([], data: [1, 2], to: &writer)
            writer.error(.applicationError, on: 1, "NOT_FOUND: nobody")
            writer.error(.applicationError, on: 1, "NOT_FOUND: again")
            writer.error(.connectionClose, on: 0, "bye")
        }
        var pong = FrameWriter()
        keepalive([], data: [1, 2], to: &pong)
        #expect(
            events == [
                .send(pong.bytes), .none, .failed(streamID: 1, text: "NOT_FOUND: nobody"), .none,
                .closed(text: "bye"),
            ])
    }

    @Test func aCancelledStreamIsToldToTheServerOnce() {
        var conversation = Conversation(limitBytes: 100)
        _ = conversation.begin(.response)
        let told = [conversation.cancelled(1), conversation.cancelled(1)]
        #expect(told == [true, false])
    }

    @Test(arguments: [
        (
            "NOT_FOUND: no such person",
            PorticoClientError.failed(code: "NOT_FOUND", message: "no such person")
        ),
        ("what: is this", .failed(code: "UNKNOWN", message: "what: is this")),
        ("plain", .failed(code: "UNKNOWN", message: "plain")),
        ("INTERNAL: a: b", .failed(code: "INTERNAL", message: "a: b")),
    ]) func aServersErrorTextIsTakenApart(text: String, error: PorticoClientError) {
        #expect(PorticoClientError(serverText: text) == error)
    }

    @Test(arguments: [
        (Duration.zero, UInt32(1)), (.milliseconds(1500), 1500), (.seconds(Int64.max), UInt32(Int32.max)),
    ]) func durationsAreClampedToTheWiresMilliseconds(duration: Duration, milliseconds: UInt32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
