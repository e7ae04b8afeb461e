import PorticoUpstream
import PorticoWire

/// An answer as it goes to a client: perhaps deflated, perhaps with a response context.
struct OutgoingAnswer: Sendable {
    let metadata: [UInt8]?
    let message: [UInt8]

    /// Smaller answers are not worth the work.
    static let smallestDeflatedBytes = 1024

    private init(metadata: [UInt8]?, message: [UInt8]) {
        self.metadata = metadata
        self.message = message
    }

    /// As it is.
    init(_ answer: Answer, for context: CallContext) {
        message = answer.message
        metadata = context.wantsResponseContext ? Self.metadata(answer, encoding: "") : nil
    }

    /// Deflated if that makes it smaller. It takes a while: not for an event loop.
    init(deflating answer: Answer, for context: CallContext) {
        guard answer.message.count >= Self.smallestDeflatedBytes,
            let packed = Deflate.compress(answer.message, limitBytes: answer.message.count - 1)
        else {
            self.init(answer, for: context)
            return
        }
        // Whoever asks for an encoding must be told of it.
        self.init(metadata: Self.metadata(answer, encoding: "deflate"), message: packed)
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
