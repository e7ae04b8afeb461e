import PorticoWire

/// Any bytes as metadata and as each message that travels in it: what is read lies inside of them, and what was read
/// reads the same after it was written again.
enum MetadataFuzz {
    static func run(_ bytes: [UInt8]) {
        let whole = 0..<bytes.count
        walk(bytes)
        if let parts = try? RequestMetadata(whole, in: bytes.span) {
            for range in [parts.route, parts.context] { check(range ?? 0..<0, in: whole) }
            if let range = parts.context { readMessages(range, in: bytes) }
            switch parts.credentials {
            case .bearer(let token): check(token, in: whole)
            case .simple(let user, let password):
                check(user, in: whole)
                check(password, in: whole)
            case .unknown, nil: break
            }
        }
        readMessages(whole, in: bytes)
    }

    private static func walk(_ bytes: [UInt8]) {
        var items = CompositeMetadata(0..<bytes.count)
        var last = 0
        while let item = try? items.next(in: bytes.span) {
            precondition(item.content.lowerBound > last && item.content.upperBound <= bytes.count)
            last = item.content.upperBound
        }
    }

    private static func check(_ range: Range<Int>, in whole: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= whole.upperBound, "outside of its bytes")
    }

    private static func readMessages(_ range: Range<Int>, in bytes: [UInt8]) {
        if let context = try? CallContext(range, in: bytes.span) {
            let written = context.encoded()
            precondition((try? CallContext(0..<written.count, in: written.span)) == context)
        }
        if let hello = try? Hello(range, in: bytes.span) {
            let written = hello.encoded()
            precondition((try? Hello(0..<written.count, in: written.span)) == hello)
        }
        if let context = try? ResponseContext(range, in: bytes.span) {
            let written = context.encoded()
            precondition((try? ResponseContext(0..<written.count, in: written.span)) == context)
        }
        if let goAway = try? GoAway(range, in: bytes.span) {
            let written = goAway.encoded()
            precondition((try? GoAway(0..<written.count, in: written.span)) == goAway)
        }
    }
}
