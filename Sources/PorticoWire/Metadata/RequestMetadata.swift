/// What a request's or a SETUP's metadata says, found in one pass without copying: ranges into the given span.
package struct RequestMetadata: Equatable, Sendable {
    /// The first routing tag: `package.Service/Method`.
    package private(set) var route: Range<Int>?
    package private(set) var credentials: Credentials?
    /// An encoded ``CallContext``.
    package private(set) var context: Range<Int>?

    /// RSocket extension "Authentication", version 0.
    package enum Credentials: Equatable, Sendable {
        case bearer(Range<Int>)
        case simple(user: Range<Int>, password: Range<Int>)
        /// Another kind; it proves nothing here.
        case unknown
    }

    /// No metadata at all.
    package init() {}

    /// Of repeated items the first counts; more than one call context is malformed.
    package init(_ range: Range<Int>, in bytes: Span<UInt8>) throws(WireError) {
        var items = CompositeMetadata(range)
        while let item = try items.next(in: bytes) {
            switch item.type {
            case .routing where route == nil: route = try Self.firstTag(item.content, in: bytes)
            case .authentication where credentials == nil:
                credentials = try Self.credentials(item.content, in: bytes)
            case .protobuf:
                guard context == nil else { throw .badMetadataItem(offset: item.content.lowerBound) }
                context = item.content
            case .routing, .authentication, .composite, nil: break
            }
        }
    }

    /// Routing content is `u8 length, tag`, repeated; tags after the first are not used.
    private static func firstTag(
        _ content: Range<Int>, in bytes: Span<UInt8>
    ) throws(WireError) -> Range<Int> {
        guard let start = content.first, content.count > Int(bytes[start]) else {
            throw .badMetadataItem(offset: content.lowerBound)
        }
        return start + 1..<start + 1 + Int(bytes[start])
    }

    /// Authentication content is `u8 0x80 | kind, rest`; kinds spelt out are not used.
    private static func credentials(
        _ content: Range<Int>, in bytes: Span<UInt8>
    ) throws(WireError) -> Credentials {
        guard let kindAt = content.first else { throw .badMetadataItem(offset: content.lowerBound) }
        switch bytes[kindAt] {
        case 0x81: return .bearer(kindAt + 1..<content.upperBound)
        case 0x80:
            let userAt = kindAt + 3
            guard userAt <= content.upperBound else { throw .badMetadataItem(offset: kindAt) }
            let passwordAt = userAt + Int(bytes.bigEndian(at: kindAt + 1, width: 2))
            guard passwordAt <= content.upperBound else { throw .badMetadataItem(offset: kindAt) }
            return .simple(user: userAt..<passwordAt, password: passwordAt..<content.upperBound)
        default: return .unknown
        }
    }
}
