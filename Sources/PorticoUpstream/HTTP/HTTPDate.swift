/// The preferred date form of HTTP (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970-01-01 UTC; nil: not such a date. The two obsolete forms are not read.
    package static func secondsSince1970(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = Int64(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])),
            let year = Int64(parts[3]), (1970...9999).contains(year),
            let seconds = secondsOfDay(parts[4])
        else { return nil }
        return daysSince1970(year: year, month: Int64(month + 1), day: day) * 86_400 + seconds
    }

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":").map { Int64($0) ?? -1 }
        guard parts.count == 3, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]),
            (0...60).contains(parts[2])
        else { return nil }
        return parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    /// Days of the Gregorian calendar, with years that begin in March so that the leap day is their last:
    /// whole years · 365, plus leap days, plus the days of the months before, (153·m + 2) / 5.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        let daysFromYear0 = shifted * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1
        return daysFromYear0 - 719_468  // 1970-01-01 by the same count
    }
}
