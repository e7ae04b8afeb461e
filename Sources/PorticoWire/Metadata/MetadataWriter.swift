/// Builds composite metadata. Only well-known ids are written: one client counts spelt-out types differently.
package struct MetadataWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter route: `package.Service/Method`, at most 255 bytes.
    package mutating func route(_ route: String) {
        let tag = route.utf8
        precondition(tag.count <= 255, "a routing tag has one byte for its length")
        item(.routing, count: tag.count + 1)
        bytes.append(UInt8(tag.count))
        bytes.append(contentsOf: tag)
    }

    package mutating func bearer(_ token: String) {
        item(.authentication, count: token.utf8.count + 1)
        bytes.append(0x81)
        bytes.append(contentsOf: token.utf8)
    }

    /// A call context, or a response context: an encoded message of `portico.v1`.
    package mutating func context(_ message: [UInt8]) {
        item(.protobuf, count: message.count)
        bytes.append(contentsOf: message)
    }

    private mutating func item(_ type: MetadataMIME, count: Int) {
        bytes.append(0x80 | type.rawValue)
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }
}
