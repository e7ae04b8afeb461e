package import PorticoConfig

/// One thing that happened, in words and fields, and its two spellings.
package struct LogLine: Sendable, Equatable {
    package var level: Configuration.Log.Level
    /// In the past, without values: `connection ended`.
    package var message: String
    package var fields: [Field]

    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: Value
    }

    package enum Value: Sendable, Equatable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int)
        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int) { self = .number(value) }
    }

    /// `2026-11-30T01:02:03.456Z info connection ended requests=12 client="a b"`
    func text(atMilliseconds time: Int64) -> String {
        var line = "\(Timestamp(milliseconds: time)) \(level.rawValue) \(message)"
        for field in fields {
            switch field.value {
            case .number(let number): line += " \(field.name)=\(number)"
            case .text(let text): line += " \(field.name)=\(Self.isPlain(text) ? text : Self.quoted(text))"
            }
        }
        return line
    }

    /// `{"time":"…","level":"info","message":"connection ended","requests":12}`
    func json(atMilliseconds time: Int64) -> String {
        var line = "{\"time\":\"\(Timestamp(milliseconds: time))\",\"level\":\"\(level.rawValue)\""
        line += ",\"message\":\(Self.quoted(message))"
        for field in fields {
            line += ",\(Self.quoted(field.name)):"
            switch field.value {
            case .number(let number): line += "\(number)"
            case .text(let text): line += Self.quoted(text)
            }
        }
        return line + "}"
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x3d }
    }

    /// A JSON string; nothing that a client sends can end a line or forge one.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: quoted += "\\\""
            case 0x5c: quoted += "\\\\"
            case ..<0x20, 0x7f...0x9f, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// UTC with milliseconds (RFC 3339).
struct Timestamp: CustomStringConvertible {
    let milliseconds: Int64

    var description: String {
        let seconds = milliseconds / 1000
        let (year, month, day) = Self.date(ofDay: Int(seconds / 86_400))
        let time = Int(seconds % 86_400)
        return "\(year)-\(Self.padded(month))-\(Self.padded(day))"
            + "T\(Self.padded(time / 3600)):\(Self.padded(time / 60 % 60)):\(Self.padded(time % 60))"
            + ".\(Self.padded(Int(milliseconds % 1000), 3))Z"
    }

    /// Days are counted from 1970-01-01. Years begin in March here, so that the leap day is a year's last; the
    /// formula for months is that of the civil calendar in groups of five (153 days).
    static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468  // from 0000-03-01
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private static func padded(_ value: Int, _ width: Int = 2) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
