// What Tests/ThreadSanitizer/run looks at first: a count under a Mutex, where a report would be a false one, and with
// an argument a count under nothing, where no report would mean that real races are not seen.
import Dispatch
import Synchronization

final class Counts: Sendable {
    let guarded = Mutex(0)
    // SAFETY: there is none: it is the race to be seen.
    nonisolated(unsafe) var unguarded = 0
}

let counts = Counts()
let races = CommandLine.arguments.count > 1
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 {
        if races { counts.unguarded += 1 } else { counts.guarded.withLock { $0 += 1 } }
    }
}
if !races { precondition(counts.guarded.withLock { $0 } == 160_000, "a lock did not keep others out") }
