import PorticoConfig
import PorticoUpstream
import Testing

@Suite struct CacheControlTests {
    /// 1994-11-06 08:49:37 UTC.
    private static let now: Int64 = 784_111_777

    private func read(_ fields: [(String, String)]) -> CacheControl {
        CacheControl(
            HTTPResponse(status: 200, fields: fields.map { HTTPField($0.0, $0.1) }),
            secondsSince1970: Self.now)
    }

    @Test(arguments: [
        ("max-age=60", 60), ("public, max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60),
        ("max-age=60, s-maxage=30", 30), ("max-age=60, max-age=90", 60), (" max-age = 60 ", 60),
        ("no-cache", 0), ("max-age=60, no-cache", 0), ("no-store", 0), ("max-age=-1", 0), ("max-age=soon", 0),
        ("max-age=", 0), ("max-age", 0), ("max-age=99999999999999999999", 3_153_600_000),
        ("private, max-age=5", 5), ("must-revalidate, max-age=5", 5), (",,max-age=7,", 7),
    ])
    func theLifetimeIsRead(text: String, seconds: Int) {
        #expect(read([("Cache-Control", text)]).lifetime == .seconds(seconds))
    }

    @Test(arguments: ["", "public", "must-revalidate", "x-max-age=5", "stale-if-error=60"])
    func withoutALifetimeNothingIsSaid(text: String) {
        #expect(read([("Cache-Control", text)]) == CacheControl())
    }

    @Test func onlyNoStoreForbidsKeeping() {
        #expect(read([("cache-control", "max-age=60, no-store")]).forbidsKeeping)
        #expect(!read([("cache-control", "no-cache")]).forbidsKeeping)
    }

    @Test(arguments: [
        ("*", true), (" * ", true), ("Accept, *", true), ("Accept", false),
        ("Accept-Encoding, Origin", false),
        ("", false), ("**", false),
    ])
    func onlyAnAnswerThatVariesByEverythingMatchesNoOtherCall(vary: String, isForbidden: Bool) {
        let said = read([("Cache-Control", "max-age=60"), ("vary", vary)])
        #expect(said.forbidsReuse == isForbidden)
        #expect(said.lifetime == (isForbidden ? .zero : .seconds(60)))
        #expect(CacheControl(strictestOf: [CacheControl(), said]).forbidsReuse == isForbidden)
    }

    @Test func severalFieldsAreOne() {
        #expect(
            read([("Cache-Control", "public"), ("cache-control", "max-age=9")]).lifetime == .seconds(9))
    }

    @Test func timeOnTheWayCounts() {
        #expect(read([("Cache-Control", "max-age=60"), ("Age", "20")]).lifetime == .seconds(40))
        #expect(read([("Cache-Control", "max-age=60"), ("Age", "80")]).lifetime == .zero)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:50:37 GMT", nil as String?, 60),
        ("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT", 30),
        ("Sun, 06 Nov 1994 08:49:00 GMT", nil, 0), ("0", nil, 0), ("never", nil, 0),
    ])
    func expiryIsCountedFromTheDate(expires: String, date: String?, seconds: Int) {
        let fields = [("Expires", expires)] + (date.map { [("Date", $0)] } ?? [])
        #expect(read(fields).lifetime == .seconds(seconds))
        #expect(read(fields + [("Cache-Control", "max-age=5")]).lifetime == .seconds(5))
    }

    @Test func theStrictestOfSeveralCounts() {
        let all = [
            CacheControl(), CacheControl(lifetime: .seconds(9)), CacheControl(lifetime: .seconds(5)),
            CacheControl(lifetime: .seconds(7), forbidsKeeping: true),
        ]
        #expect(
            CacheControl(strictestOf: all) == CacheControl(lifetime: .seconds(5), forbidsKeeping: true))
        #expect(CacheControl(strictestOf: []) == CacheControl())
    }

    @Test(arguments: [(0, 1), (1, 1), (30, 30), (3600, 3600), (7200, 3600)])
    func whatIsSaidCountsWithinTheEnvironmentsBounds(said: Int, fresh: Int) {
        let freshness = Freshness(Configuration.Cache(), routes: [])
        #expect(freshness.adjusted(by: CacheControl(lifetime: .seconds(said))).fresh == .seconds(fresh))
        #expect(freshness.adjusted(by: CacheControl()) == freshness)
        let unkept = freshness.adjusted(by: CacheControl(lifetime: .zero, forbidsKeeping: true))
        #expect(unkept.fresh == .seconds(1) && unkept.stale == .zero)
    }

    @Test(arguments: ["", "a\nb", String(repeating: "x", count: 1025)])
    func validatorsThatCannotBeSentBackDoNotCount(value: String) {
        #expect(Validators(HTTPResponse(status: 200, fields: [HTTPField("ETag", value)])).isEmpty)
    }
}
