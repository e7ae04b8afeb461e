/// Dates as HTTP writes them (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Only this form is written. Of the two obsolete forms both are read, as the RFC asks: `Sunday, 06-Nov-94 08:49:37 GMT`
/// and `Sun Nov  6 08:49:37 1994`.
package enum HTTPDate {
    package static func text(secondsSince1970 seconds: Int64) -> String {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = civil(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[Int((days % 7 + 11) % 7)]
        let clock = "\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
        return "\(weekday), \(pad(day)) \(months[Int(month) - 1]) \(year) \(clock) GMT"
    }

    /// Seconds since 1970-01-01 UTC; nil: not such a date, or one before 1970.
    package static func secondsSince1970(_ text: String) -> Int64? {
        let parts = text.split { $0 == " " || $0 == "-" }
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "GMT":
            return seconds(day: parts[1], month: parts[2], year: parts[3], clock: parts[4])
        case 5 where weekdays.contains(String(parts[0])):
            return seconds(day: parts[2], month: parts[1], year: parts[4], clock: parts[3])
        default: return nil
        }
    }

    private static func seconds(
        day: Substring, month: Substring, year: Substring, clock: Substring
    ) -> Int64? {
        guard let day = Int64(day), (1...31).contains(day), let month = months.firstIndex(of: String(month)),
            let year = Self.year(year), let second = secondsOfDay(clock)
        else { return nil }
        return daysSince1970(year: year, month: Int64(month + 1), day: day) * 86_400 + second
    }

    /// Two digits mean 1970 to 2069, as POSIX reads them.
    private static func year(_ text: Substring) -> Int64? {
        guard let year = Int64(text), text.utf8.count == 2 || text.utf8.count == 4 else { return nil }
        let full = text.utf8.count == 4 ? year : year + (year < 70 ? 2000 : 1900)
        return (1970...9999).contains(full) ? full : nil
    }

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard parts.count == 3, (0..<24).contains(parts[0]), (0..<60).contains(parts[1]),
            (0...60).contains(parts[2])
        else { return nil }
        return parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    // MARK: The Gregorian calendar, with years that begin in March so that the leap day is their last

    /// From 0000-03-01 to 1970-01-01.
    private static let daysTo1970: Int64 = 719_468

    /// Whole years · 365, plus leap days, plus the days of the months before, (153·m + 2) / 5.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - daysTo1970
    }

    /// By counting in eras of 400 years, 146,097 days.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + daysTo1970
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func pad(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
