/// The MIME types that Portico uses, with their well-known ids (RSocket extension "Well-known MIME Types").
package enum MetadataMIME: UInt8, Sendable, CaseIterable {
    /// Call context and response context.
    case protobuf = 0x09
    case authentication = 0x7c
    case routing = 0x7e
    case composite = 0x7f

    package var name: String {
        switch self {
        case .protobuf: "application/vnd.google.protobuf"
        case .authentication: "message/x.rsocket.authentication.v0"
        case .routing: "message/x.rsocket.routing.v0"
        case .composite: "message/x.rsocket.composite-metadata.v0"
        }
    }

    /// Nil: a type that is not used here.
    package init?(name: Span<UInt8>) {
        for candidate in Self.allCases where name.isEqual(to: candidate.name.utf8.span) {
            self = candidate
            return
        }
        return nil
    }
}
