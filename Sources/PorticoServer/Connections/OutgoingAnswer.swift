import PorticoUpstream
import PorticoWire

/// An answer as it goes to a client: perhaps deflated, perhaps with a response context.
struct OutgoingAnswer: Sendable {
    let metadata: [UInt8]?
    let message: [UInt8]
    let origin: Answer.Origin
    /// Set when it was tried to deflate it: to be kept.
    let deflated: DeflatedAnswers.Pair?

    /// Smaller answers are not worth the work.
    static let smallestDeflatedBytes = 1024

    /// As it is.
    init(_ answer: Answer, for context: CallContext) {
        message = answer.message
        metadata = context.wantsResponseContext ? Self.metadata(answer, encoding: "") : nil
        origin = answer.origin
        deflated = nil
    }

    /// In the form that was made of it before.
    init(_ answer: Answer, _ pair: DeflatedAnswers.Pair, for context: CallContext) {
        message = pair.packed ?? pair.plain
        // Whoever asks for an encoding must be told of it.
        let isTold = context.wantsResponseContext || pair.packed != nil
        metadata = isTold ? Self.metadata(answer, encoding: pair.packed == nil ? "" : "deflate") : nil
        origin = answer.origin
        deflated = pair
    }

    /// In a form that came with the answer.
    private init(_ answer: Answer, packed: [UInt8], for context: CallContext) {
        message = packed
        metadata = Self.metadata(answer, encoding: "deflate")
        origin = answer.origin
        deflated = nil
    }

    /// Deflated if that makes it smaller, off every event loop.
    static func deflating(_ answer: Answer, for context: CallContext) async -> OutgoingAnswer {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            OutgoingAnswer(deflating: answer, for: context)
        }
    }

    /// Deflated if that makes it smaller. Unless it has been tried before, it takes a while: not for an event loop.
    init(deflating answer: Answer, for context: CallContext) {
        guard answer.message.count >= Self.smallestDeflatedBytes else {
            self.init(answer, for: context)
            return
        }
        switch answer.deflated {
        case .atHand(let packed): self.init(answer, packed: packed, for: context)
        case .notWorthwhile: self.init(answer, for: context)
        case .untried:
            let packed = Deflate.compress(answer.message, limitBytes: answer.message.count - 1)
            self.init(answer, DeflatedAnswers.Pair(plain: answer.message, packed: packed), for: context)
        }
    }

    /// To an observer; with its cursor, if it is told anything.
    init(_ observed: ObservedAnswer, for context: CallContext, deflates: Bool) {
        let answer = observed.answer(at: .now)
        let packed = deflates && answer.message.count >= Self.smallestDeflatedBytes ? observed.packed() : nil
        message = packed ?? answer.message
        let isTold = context.wantsResponseContext || packed != nil
        metadata =
            isTold
            ? Self.metadata(answer, encoding: packed == nil ? "" : "deflate", cursor: observed.cursor) : nil
        origin = answer.origin
        deflated = nil
    }

    private static func metadata(_ answer: Answer, encoding: String, cursor: [UInt8] = []) -> [UInt8] {
        var context = ResponseContext()
        context.source = ResponseContext.Source(rawValue: UInt64(answer.origin.rawValue)) ?? .unspecified
        context.ageMilliseconds = UInt64(max(0, answer.age.milliseconds))
        context.skippedItems = UInt32(clamping: answer.skippedItems)
        context.missingJoins = UInt32(clamping: answer.missingJoins)
        context.encoding = encoding
        context.resumeCursor = cursor
        var writer = MetadataWriter()
        writer.context(context.encoded())
        return writer.bytes
    }
}
