import PorticoWire

/// Encoded answers of one loop, found by the bytes of the requests that they answered: no lock is taken, nothing is
/// decoded and nothing allocated for a request that was answered a moment ago.
///
/// An entry counts for as long as the source's generation stays what it was, and for ``longestUse`` at most, so that
/// the source sees from time to time what is still in use. Full, it begins anew.
struct QuickAnswers {
    /// What may be remembered of an answer, at most.
    static let largestAnswerBytes = 16 << 10
    static let longestUse = Duration.seconds(1)

    private struct Entry {
        var hash: UInt64
        /// The request without its stream id, and the answer's whole frame, both in ``bytes``.
        var request: Range<Int>
        var answer: Range<Int>
        var generation: UInt64
        var until: Instant
        /// The connection's SETUP had brought a valid token.
        var isAuthenticated: Bool
    }

    /// A power of two.
    private static let placeCount = 4096
    private static let longestSearch = 8
    /// In front of the bytes that requests have in common, however often they are sent.
    private static let streamIDBytes = 4

    private let limitBytes: Int
    /// Nobody can choose requests that share a place, or learn a token by how long a search for it takes.
    private let seed: UInt64
    private var places: [Entry?] = []
    private var bytes: [UInt8] = []

    init(limitBytes: Int = 4 << 20, seed: UInt64 = .random(in: 0 ... .max)) {
        self.limitBytes = limitBytes
        self.seed = seed
    }

    /// The answer to the request in `frame`, if one is known and still counts: for ``write(_:on:into:)``, at once.
    func answer(
        to frame: Span<UInt8>, isAuthenticated: Bool, generation: UInt64, at now: Instant
    ) -> Range<Int>? {
        guard !places.isEmpty else { return nil }
        let request = frame.extracting(droppingFirst: Self.streamIDBytes)
        guard let place = place(of: request, hash: request.hash(seed: seed), isAuthenticated),
            let entry = places[place], entry.generation == generation, now < entry.until
        else { return nil }
        return entry.answer
    }

    func write(_ answer: Range<Int>, on streamID: UInt32, into output: inout FrameWriter) {
        output.copy(bytes.span.extracting(answer), on: streamID)
    }

    /// - Parameters:
    ///   - answer: a frame with its length prefix, for any stream.
    ///   - generation: the source's, from before it gave the answer.
    mutating func keep(
        _ answer: [UInt8], for frame: Span<UInt8>, isAuthenticated: Bool, generation: UInt64,
        until: Instant
    ) {
        let request = frame.extracting(droppingFirst: Self.streamIDBytes)
        let needed = request.count + answer.count
        if needed > limitBytes - bytes.count || places.isEmpty { beginAnew() }
        guard needed <= limitBytes else { return }
        let hash = request.hash(seed: seed)
        let start = bytes.count
        bytes.append(copying: request)
        bytes.append(contentsOf: answer)
        let middle = start + request.count
        let known = place(of: request, hash: hash, isAuthenticated)
        places[known ?? freePlace(hash: hash)] = Entry(
            hash: hash, request: start..<middle, answer: middle..<bytes.count, generation: generation,
            until: until, isAuthenticated: isAuthenticated)
    }

    private mutating func beginAnew() {
        bytes.removeAll(keepingCapacity: true)
        places = Array(repeating: nil, count: Self.placeCount)
    }

    private func place(of request: Span<UInt8>, hash: UInt64, _ isAuthenticated: Bool) -> Int? {
        for step in 0..<Self.longestSearch {
            let place = (Int(truncatingIfNeeded: hash) &+ step) & (Self.placeCount - 1)
            guard let entry = places[place] else { return nil }
            if entry.hash == hash, entry.isAuthenticated == isAuthenticated,
                bytes.span.extracting(entry.request).isEqual(to: request)
            {
                return place
            }
        }
        return nil
    }

    /// The first empty place, or the one where the search begins: its entry makes way.
    private func freePlace(hash: UInt64) -> Int {
        let first = Int(truncatingIfNeeded: hash) & (Self.placeCount - 1)
        for step in 0..<Self.longestSearch {
            let place = (first + step) & (Self.placeCount - 1)
            if places[place] == nil { return place }
        }
        return first
    }
}
