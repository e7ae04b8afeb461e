import PorticoUpstream
import PorticoWire

/// An answer as it goes to a client: perhaps deflated, perhaps with a response context.
struct OutgoingAnswer: Sendable {
    private(set) var metadata: [UInt8]?
    private(set) var message: [UInt8]
    let origin: Answer.Origin

    /// Smaller answers are not worth the work.
    static let smallestDeflatedBytes = 1024

    /// As it is.
    init(_ answer: Answer, for context: CallContext) {
        message = answer.message
        origin = answer.origin
        metadata = context.wantsResponseContext ? Self.metadata(answer, encoding: "") : nil
    }

    /// Deflated if that makes it smaller. It takes a while: not for an event loop.
    init(deflating answer: Answer, for context: CallContext) {
        self.init(answer, for: context)
        guard message.count >= Self.smallestDeflatedBytes,
            let packed = Deflate.compress(message, limitBytes: message.count - 1)
        else { return }
        message = packed
        // Whoever asks for an encoding must be told of it.
        metadata = Self.metadata(answer, encoding: "deflate")
    }

    private static func metadata(_ answer: Answer, encoding: String) -> [UInt8] {
        var context = ResponseContext()
        context.source = ResponseContext.Source(rawValue: UInt64(answer.origin.rawValue)) ?? .unspecified
        context.ageMilliseconds = UInt64(max(0, answer.age.milliseconds))
        context.skippedItems = UInt32(clamping: answer.skippedItems)
        context.encoding = encoding
        var writer = MetadataWriter()
        writer.context(context.encoded())
        return writer.bytes
    }
}
