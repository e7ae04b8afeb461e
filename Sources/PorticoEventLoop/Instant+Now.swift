import Glibc
package import PorticoWire

extension Instant {
    /// By the clock that `ContinuousClock` reads, too: it goes on while the machine sleeps.
    package static var now: Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
