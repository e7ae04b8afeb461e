/// A moment on a clock that never goes back: whole nanoseconds since a start that only that clock knows.
///
/// The loops' and sessions' own, because the layout of `Instant` is asked of the concurrency library
/// at run time: copying or comparing one, and every structure that holds one, is a call. Without it a cached request at
/// sixteen in flight takes the server 600 ns instead of 730 (`Benchmarks serve`, processor time).
package struct Instant: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// - Parameter duration: cut to whole nanoseconds.
    package func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        return Instant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    package func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    package static func + (one: Instant, duration: Duration) -> Instant { one.advanced(by: duration) }

    package static func - (one: Instant, other: Instant) -> Duration { other.duration(to: one) }

    package static func < (one: Instant, other: Instant) -> Bool { one.nanoseconds < other.nanoseconds }
}
