/// Cuts a stream of bytes, which arrives in pieces of any size, into frames at their 24-bit length prefixes.
///
/// Frames that lie whole in a piece are given as ranges into it; only one that is spread over pieces is copied. A
/// length is held against the limit as soon as its three bytes are there, before anything of the frame is kept.
package struct FrameSplitter: ~Copyable, Sendable {
    package static let prefixBytes = 3

    package enum Found: Equatable, Sendable {
        /// In the piece that was given.
        case inPlace(Range<Int>)
        /// Put together from several pieces.
        case joined([UInt8])
    }

    /// Of one frame, without its prefix. May be raised once the peer is known.
    package var limitBytes: Int
    /// The prefix's bytes so far and then its value: `declared` is final when `prefixCount` is 3.
    private var prefixCount = 0
    private var declared = 0
    private var partial: [UInt8] = []

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// A frame has begun and not ended: its sender is to be given a time limit.
    package var isInsideFrame: Bool { prefixCount > 0 }

    /// Kept of it.
    package var unfinishedBytes: Int { partial.capacity }

    /// The next frame, or nil when the piece is used up. Call it until nil before giving the next piece.
    /// - Parameter offset: where to go on in `piece`; moved behind what was used.
    package mutating func next(
        in piece: Span<UInt8>, from offset: inout Int
    ) throws(WireError) -> Found? {
        guard try prefix(in: piece, from: &offset) else { return nil }
        let left = piece.count - offset
        if partial.isEmpty, left >= declared {
            defer { offset += declared }
            prefixCount = 0
            return .inPlace(offset..<offset + declared)
        }
        let missing = declared - partial.count
        if partial.isEmpty { partial.reserveCapacity(min(declared, max(left, 4096))) }
        partial.append(copying: piece.extracting(offset..<offset + min(left, missing)))
        offset += min(left, missing)
        guard partial.count == declared else { return nil }
        prefixCount = 0
        return .joined(exchange(&partial, with: []))
    }

    /// Where the frame lies that begins at `offset`, if all of it is in the piece; nothing is taken yet.
    /// - Returns: nil, too, inside a frame that began in an earlier piece, and for one that is too long.
    package func frameAhead(in piece: Span<UInt8>, at offset: Int) -> Range<Int>? {
        let start = offset + Self.prefixBytes
        guard !isInsideFrame, start <= piece.count else { return nil }
        let length = Int(piece.bigEndian(at: offset, width: Self.prefixBytes))
        guard length <= limitBytes, length <= piece.count - start else { return nil }
        return start..<start + length
    }

    /// False: the piece ended inside the prefix.
    private mutating func prefix(in piece: Span<UInt8>, from offset: inout Int) throws(WireError) -> Bool {
        if prefixCount == 0 { declared = 0 }
        while prefixCount < Self.prefixBytes {
            guard offset < piece.count else { return false }
            declared = declared << 8 | Int(piece[offset])
            offset += 1
            prefixCount += 1
        }
        guard declared <= limitBytes else {
            throw .frameTooLong(declared: declared, limit: limitBytes)
        }
        return true
    }
}
