import PorticoConfig
import Synchronization
import Testing

@testable import PorticoServer

@Test(
    arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
        (4_102_444_800_000, "2100-01-01T00:00:00.000Z"), (1_764_550_923_004, "2025-12-01T01:02:03.004Z"),
    ] as [(Int64, String)]) func timesAreWrittenInUTC(milliseconds: Int64, expected: String)
{
    #expect("\(Timestamp(milliseconds: milliseconds))" == expected)
}

@Test func everyDayOfFourCenturiesFollowsTheOneBefore() {
    var (year, month, day) = (1970, 1, 1)
    for number in 0..<146_097 {
        let date = Timestamp.date(ofDay: number)
        #expect(date == (year, month, day), "day \(number)")
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        day += 1
        if day > length { (month, day) = (month + 1, 1) }
        if month > 12 { (year, month) = (year + 1, 1) }
    }
}

private let line = LogLine(
    level: .warning, message: "it happened",
    fields: [
        .init(name: "count", value: 3), .init(name: "plain", value: "a/b"), .init(name: "empty", value: ""),
        .init(name: "forged", value: "x\n2026 info \"ok\" \\ \u{85}é"),
    ])

@Test func aLineOfTextCannotBeForged() {
    #expect(
        line.text(atMilliseconds: 0)
            == #"1970-01-01T00:00:00.000Z warning it happened count=3 plain=a/b empty="" forged="x\u000a2026 info \"ok\" \\ \u0085é""#
    )
}

@Test func aLineOfJSONIsOneObject() {
    #expect(
        line.json(atMilliseconds: 0)
            == #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","message":"it happened","count":3,"plain":"a/b","empty":"","forged":"x\u000a2026 info \"ok\" \\ \u0085é"}"#
    )
}

@Test func linesBelowTheLevelAreNotWritten() {
    let written = Mutex<[String]>([])
    var settings = Configuration.Log()
    settings.level = .warning
    let log = Log(settings) { bytes in written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }
    log(.info, "no")
    log(.warning, "yes", ["n": 1])
    log(.error, "yes too")
    #expect(written.withLock { $0.map { $0.dropFirst(25) } } == ["warning yes n=1\n", "error yes too\n"])
}

@Test func aSecretPrintsAsOne() {
    #expect(LogLine.Value.text("\(Secret("s3cret"))") == "«secret»")
}
