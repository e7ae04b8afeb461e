/// Encoded answers of one loop, found by the bytes of the requests that they answered: no lock is taken, nothing is
/// decoded and nothing allocated for a request that was answered a moment ago.
///
/// An entry counts for as long as the source's generation stays what it was, and for ``longestUse`` at most, so that
/// the source sees from time to time what is still in use. Full, it begins anew.
package struct QuickAnswers: Sendable {
    /// What may be remembered of an answer, at most.
    package static let largestAnswerBytes = 16 << 10
    package static let longestUse = Duration.seconds(1)

    /// Under which a request is answered.
    package struct Terms: Sendable {
        /// The connection's SETUP had brought a valid token.
        package var isAuthenticated: Bool
        /// The source's.
        package var generation: UInt64
        package var now: Instant

        package init(isAuthenticated: Bool, generation: UInt64, now: Instant) {
            self.isAuthenticated = isAuthenticated
            self.generation = generation
            self.now = now
        }
    }

    private struct Entry {
        var hash: UInt64 = 0
        /// The request without its stream id and behind it the answer's whole frame, both in ``bytes``.
        var request = 0..<0
        var answerEnd = 0
        var generation: UInt64 = 0
        var until = Instant(nanoseconds: 0)
        var isAuthenticated = false

        var isEmpty: Bool { answerEnd == 0 }
    }

    /// A power of two.
    private static let placeCount = 4096
    private static let longestSearch = 8
    /// In front of the bytes that requests have in common, however often they are sent.
    private static let streamIDBytes = 4

    private let limitBytes: Int
    /// Nobody can choose requests that share a place, or learn a token by how long a search for it takes.
    private let seed: UInt64
    private var places: [Entry] = []
    private var bytes: [UInt8] = []

    package init(limitBytes: Int = 4 << 20, seed: UInt64 = .random(in: 0 ... .max)) {
        self.limitBytes = limitBytes
        self.seed = seed
    }

    /// The answer to the request in `frame`, if one is known and still counts: for ``write(_:on:into:)``, at once.
    package func answer(to frame: Span<UInt8>, _ terms: Terms) -> Range<Int>? {
        guard !places.isEmpty else { return nil }
        let request = frame.extracting(droppingFirst: Self.streamIDBytes)
        guard let place = place(of: request, hash: request.hash(seed: seed), terms.isAuthenticated),
            places[place].generation == terms.generation, terms.now < places[place].until
        else { return nil }
        return places[place].request.upperBound..<places[place].answerEnd
    }

    package func write(_ answer: Range<Int>, on streamID: UInt32, into output: inout FrameWriter) {
        output.copy(bytes.span.extracting(answer), on: streamID)
    }

    /// - Parameters:
    ///   - answer: a frame with its length prefix, for any stream.
    ///   - terms: with the generation from before the source gave the answer.
    package mutating func keep(
        _ answer: [UInt8], for frame: Span<UInt8>, _ terms: Terms, until: Instant
    ) {
        let request = frame.extracting(droppingFirst: Self.streamIDBytes)
        let needed = request.count + answer.count
        if needed > limitBytes - bytes.count || places.isEmpty { beginAnew() }
        guard needed <= limitBytes else { return }
        let hash = request.hash(seed: seed)
        let start = bytes.count
        bytes.append(copying: request)
        bytes.append(contentsOf: answer)
        let known = place(of: request, hash: hash, terms.isAuthenticated)
        places[known ?? freePlace(hash: hash)] = Entry(
            hash: hash, request: start..<start + request.count, answerEnd: bytes.count,
            generation: terms.generation, until: until, isAuthenticated: terms.isAuthenticated)
    }

    private mutating func beginAnew() {
        bytes.removeAll(keepingCapacity: true)
        places = Array(repeating: Entry(), count: Self.placeCount)
    }

    private func place(of request: Span<UInt8>, hash: UInt64, _ isAuthenticated: Bool) -> Int? {
        for step in 0..<Self.longestSearch {
            let place = (Int(truncatingIfNeeded: hash) &+ step) & (Self.placeCount - 1)
            guard !places[place].isEmpty else { return nil }
            if places[place].hash == hash, places[place].isAuthenticated == isAuthenticated,
                bytes.span.extracting(places[place].request).isEqual(to: request)
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
            if places[place].isEmpty { return place }
        }
        return first
    }
}
