import Glibc

/// The few facts and effects of the machine that the program needs besides sockets.
package enum Host {
    /// Cores that are on; at least 1.
    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Since 1970-01-01T00:00:00Z, for log lines; everything that measures uses `ContinuousClock` or `Instant`.
    package static var wallClockMilliseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Since 1970-01-01T00:00:00Z, for dates that people and other programs read; never for timeouts.
    package static var wallClockSeconds: Int { time(nil) }

    /// One call, so that lines of different threads stay whole. What cannot be written is lost.
    package static func writeToStandardError(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
