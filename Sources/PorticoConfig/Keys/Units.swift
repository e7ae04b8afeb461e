/// Sizes as people write them: `512B`, `64KiB`, `1GiB`; powers of 1024, whole numbers.
enum ByteSize {
    private static let units: [(suffix: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]

    /// A regular expression of what ``parse(_:)`` takes.
    static let pattern = "^[0-9]+(B|KiB|MiB|GiB)$"

    /// Nil: no size, or more bytes than an `Int` counts.
    static func parse(_ text: String) -> Int? {
        for unit in units where text.hasSuffix(unit.suffix) {
            guard let count = WholeNumber.parse(text.dropLast(unit.suffix.count)) else { return nil }
            let (bytes, overflow) = count.multipliedReportingOverflow(by: unit.bytes)
            return overflow ? nil : bytes
        }
        return nil
    }

    /// In the largest unit that leaves a whole number.
    static func text(_ bytes: Int) -> String {
        guard let unit = units.first(where: { bytes != 0 && bytes % $0.bytes == 0 }) else {
            return "\(bytes)B"
        }
        return "\(bytes / unit.bytes)\(unit.suffix)"
    }

    /// The size that was meant by `64KB`, `64 kib`, `64k` or `64`.
    static func repair(_ text: String) -> String? {
        let (count, unit) = WholeNumber.split(text)
        guard let count else { return nil }
        let letter = unit.prefix(1)
        guard let match = units.first(where: { $0.suffix.lowercased().hasPrefix(letter) }) else { return nil }
        let repaired = "\(count)\(unit.isEmpty ? "B" : match.suffix)"
        return parse(repaired) == nil ? nil : "\"\(repaired)\""
    }
}

/// Durations as people write them: `250ms`, `5s`, `10m`, `24h`; one unit, whole numbers.
enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    /// A regular expression of what ``parse(_:)`` takes.
    static let pattern = "^[0-9]+(ms|s|m|h)$"

    /// Nil: no duration, or longer than a `Duration` of whole milliseconds can be.
    static func parse(_ text: String) -> Duration? {
        for unit in units where text.hasSuffix(unit.suffix) {
            guard let count = WholeNumber.parse(text.dropLast(unit.suffix.count)) else { return nil }
            let (milliseconds, overflow) = Int64(count).multipliedReportingOverflow(by: unit.milliseconds)
            return overflow ? nil : .milliseconds(milliseconds)
        }
        return nil
    }

    /// In the largest unit that leaves a whole number.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        if milliseconds == 0 { return "0s" }
        if milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000)h" }
        if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }

    /// The duration that was meant by `5 sec`, `10min`, `1d` or `5`.
    static func repair(_ text: String) -> String? {
        let (count, unit) = WholeNumber.split(text)
        guard let count else { return nil }
        let repaired: String
        switch unit {
        case "", "s", "sec", "secs", "second", "seconds": repaired = "\(count)s"
        case "ms", "msec", "msecs", "millis", "milliseconds": repaired = "\(count)ms"
        case "m", "min", "mins", "minute", "minutes": repaired = "\(count)m"
        case "h", "hr", "hrs", "hour", "hours": repaired = "\(count)h"
        case "d", "day", "days": repaired = "\(count.multipliedReportingOverflow(by: 24).partialValue)h"
        default: return nil
        }
        return parse(repaired) == nil ? nil : "\"\(repaired)\""
    }
}

private enum WholeNumber {
    /// Digits only: no sign, no point.
    static func parse(_ digits: some StringProtocol) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        return Int(digits)
    }

    /// Leading digits, and the rest in lower case without its spaces.
    static func split(_ text: String) -> (count: Int?, unit: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).filter { $0 != " " }.lowercased()
        return (Int(digits), unit)
    }
}
