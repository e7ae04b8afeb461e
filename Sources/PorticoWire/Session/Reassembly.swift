/// A message that comes in fragments: all metadata before any data.
package struct Reassembly: Equatable, Sendable {
    package private(set) var metadata: [UInt8]?
    package private(set) var data: [UInt8] = []
    private var hasData = false

    package enum Failure: Error, Equatable, Sendable {
        case metadataTooLong(limit: Int)
        case messageTooLong(limit: Int)
        /// A fragment brings metadata after one that brought data.
        case metadataAfterData
    }

    package init() {}

    /// Kept for it so far.
    package var byteCount: Int { data.count + (metadata?.count ?? 0) }

    package mutating func append(
        _ fragment: Payload, in frame: Span<UInt8>, messageBytes: Int, metadataBytes: Int
    ) throws(Failure) {
        if let range = fragment.metadata {
            guard !hasData else { throw .metadataAfterData }
            guard (metadata?.count ?? 0) + range.count <= metadataBytes else {
                throw .metadataTooLong(limit: metadataBytes)
            }
            metadata = metadata ?? []
            metadata?.append(copying: frame.extracting(range))
        }
        guard data.count + fragment.data.count <= messageBytes else {
            throw .messageTooLong(limit: messageBytes)
        }
        if !fragment.data.isEmpty {
            hasData = true
            data.append(copying: frame.extracting(fragment.data))
        }
    }
}
