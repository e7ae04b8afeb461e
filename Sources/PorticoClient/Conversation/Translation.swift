import PorticoWire

// Between the client's own words and those of the wire.

extension CallOptions {
    /// Composite metadata of one request: the route, and a call context where something is asked for.
    func metadata(route: String) -> [UInt8] {
        var context = CallContext()
        context.timeoutMilliseconds = timeout?.wholeMilliseconds ?? 0
        context.idempotencyKey = idempotencyKey
        context.wantsResponseContext = wantsOrigin
        context.resumeCursor = resumeCursor
        var writer = MetadataWriter()
        writer.route(route)
        let encoded = context.encoded()
        if !encoded.isEmpty { writer.context(encoded) }
        return writer.bytes
    }
}

extension Reply {
    /// A response context that cannot be read is as good as none.
    init(metadata: [UInt8], data: [UInt8]) {
        self.init(message: data, origin: nil, age: .zero, skippedItems: 0, missingJoins: 0)
        let bytes = metadata.span
        guard let items = try? RequestMetadata(metadata.indices, in: bytes), let range = items.context,
            let context = try? ResponseContext(range, in: bytes)
        else { return }
        origin = Origin(context.source)
        age = .milliseconds(context.ageMilliseconds)
        skippedItems = Int(context.skippedItems)
        missingJoins = Int(context.missingJoins)
        resumeCursor = context.resumeCursor
    }
}

extension Reply.Origin {
    init?(_ source: ResponseContext.Source) {
        switch source {
        case .hit: self = .hit
        case .stale: self = .stale
        case .miss: self = .miss
        case .unspecified: return nil
        }
    }
}

extension PorticoClientError {
    /// - Parameter text: of an ERROR frame, `CODE: message`; other servers write freely.
    init(serverText text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, StatusCode(name: parts[0]) != nil else {
            self = .failed(code: StatusCode.unknown.name, message: text)
            return
        }
        self = .failed(code: String(parts[0]), message: String(parts[1].drop { $0 == " " }))
    }
}

extension Duration {
    /// At least 1 and at most 2^31-1, what the wire's fields take.
    var wholeMilliseconds: UInt32 {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return UInt32(Int32.max) }
        return UInt32(
            min(max(milliseconds.partialValue + attoseconds / 1_000_000_000_000_000, 1), Int64(Int32.max)))
    }
}
