internal import Dispatch
internal import Synchronization

/// Shrinks PNGs when no picture is asked for: one after the other, on a queue of its own, once a second has passed without
/// a request. What waits is bounded; pictures that come when it is full stay as they are.
final class IdleShrinker: Sendable {
    private let queue = DispatchQueue(label: "portico.images.shrinking", qos: .background)
    private let requests = Atomic(0)
    private let waiting = Atomic(0)

    /// Pictures that wait in memory.
    private static let waitingLimit = 64
    private static let quietMilliseconds = 1000
    /// A server that is never idle for a second gets its pictures shrunk after so many looks.
    private static let patience = 60

    func requested() { requests.add(1, ordering: .relaxed) }

    /// - Parameter then: told of the smaller picture, on the queue; not called when there is none.
    func offer(_ picture: [UInt8], then: @escaping @Sendable ([UInt8]) -> Void) {
        guard waiting.load(ordering: .relaxed) < Self.waitingLimit else { return }
        waiting.add(1, ordering: .relaxed)
        waitForQuiet(looks: 0) { [self] in
            waiting.subtract(1, ordering: .relaxed)
            guard let small = PNGShrinker.shrink(picture) else { return }
            then(small)
        }
    }

    private func waitForQuiet(looks: Int, _ work: @escaping @Sendable () -> Void) {
        let before = requests.load(ordering: .relaxed)
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.quietMilliseconds)) { [self] in
            let isQuiet = requests.load(ordering: .relaxed) == before
            if isQuiet || looks >= Self.patience { work() } else { waitForQuiet(looks: looks + 1, work) }
        }
    }
}
