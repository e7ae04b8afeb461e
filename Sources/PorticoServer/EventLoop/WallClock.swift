import Glibc

/// Seconds since 1970, for dates that people and other programs read; never for timeouts.
func wallClockSeconds() -> Int { time(nil) }
