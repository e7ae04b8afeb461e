/// Where an answer ends (RFC 9112 section 6.3), and whether its connection lives on.
struct ResponseFraming: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case sized(Int)
        case chunked
        /// The end of the connection ends it: nothing tells a whole body from a part.
        case untilClose
    }

    /// What the peer lets happen after the answer.
    enum Persistence: Sendable, Equatable {
        case close
        /// For how long it says it will wait for another request; nil: it does not say.
        case keep(Duration?)
    }

    let body: Body
    let persistence: Persistence

    /// - Parameter method: of the request; answers to HEAD have no body, whatever they declare.
    /// - Throws: ``TransportError/malformed`` for lengths that contradict each other and codings that are not known.
    init(of head: ResponseHead, to method: String) throws(TransportError) {
        let length = try Self.length(head.elements(of: "content-length"))
        let codings = head.elements(of: "transfer-encoding")
        let body: Body
        if codings.isEmpty {
            body = length.map { .sized($0) } ?? .untilClose
        } else {
            // Both at once, or a coding in the old version: two readers may see two different ends.
            guard length == nil, codings == ["chunked"], head.minorVersion == 1 else { throw .malformed }
            body = .chunked
        }
        let isBodiless = method == "HEAD" || head.status == 204 || head.status == 304
        self.body = isBodiless ? .none : body
        persistence = self.body == .untilClose ? .close : Self.persistence(of: head)
    }

    /// Repeated, equal lengths are one; nil: none is declared.
    private static func length(_ declared: [String]) throws(TransportError) -> Int? {
        guard let first = declared.first else { return nil }
        guard declared.allSatisfy({ $0 == first }), let length = first.decimalNumber else { throw .malformed }
        return length
    }

    private static func persistence(of head: ResponseHead) -> Persistence {
        let options = head.elements(of: "connection")
        guard !options.contains("close"), head.minorVersion == 1 || options.contains("keep-alive") else {
            return .close
        }
        var limit: Duration?
        for parameter in head.elements(of: "keep-alive") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[1]), (0...1_000_000).contains(number) else {
                continue
            }
            if parts[0] == "timeout" { limit = .seconds(number) }
            if parts[0] == "max", number == 0 { return .close }
        }
        return .keep(limit)
    }
}
