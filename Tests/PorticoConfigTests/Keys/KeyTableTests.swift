import PorticoSchema
import Testing

@testable import PorticoConfig

struct KeyTableTests {
    @Test func noTwoKeysShareAPathOrAVariable() {
        let rows = KeyDocumentation.rows
        #expect(Set(rows.map(\.key)).count == rows.count)
        #expect(Set(rows.map(\.variable)).count == rows.count)
    }

    @Test(arguments: [
        ("limits.frameBytes", "PORTICO_LIMITS_FRAME_BYTES"), ("listen.address", "PORTICO_LISTEN_ADDRESS"),
        ("upstreams.NAME.baseURL", "PORTICO_UPSTREAMS_NAME_BASE_URL"),
        ("upstreams.NAME.retry.maxRetryAfter", "PORTICO_UPSTREAMS_NAME_RETRY_MAX_RETRY_AFTER"),
    ])
    func aVariableIsItsKeyInCapitals(key: String, variable: String) {
        #expect(KeyPattern(key).variable([]) == variable)
    }

    @Test(
        arguments: [
            ("limits.drain", "limits.drain", []), ("limits.drain", "limits.drains", nil),
            ("limits.drain", "limits", nil),
            ("upstreams.NAME.timeout", "upstreams.tv.timeout", ["tv"]),
            ("upstreams.NAME.timeout", "upstreams.timeout", nil),
            ("upstreams.NAME.query.ITEM", "upstreams.tv.query.a.b", ["tv", "a.b"]),
            ("cache.methods.ROUTE.fresh", "cache.methods.a.v1.B/C.fresh", ["a.v1.B/C"]),
            ("decode.methods.ROUTE", "decode.methods.a.v1.B/C", ["a.v1.B/C"]),
        ] as [(String, String, [String]?)])
    func aPatternFindsTheNamesInAKey(pattern: String, key: String, names: [String]?) {
        #expect(KeyPattern(pattern).names(in: key) == names)
        if let names { #expect(KeyPattern(pattern).key(names) == key) }
    }

    @Test func aLongKeyOfDotsIsTakenApartInGoodTime() {
        let dots = String(repeating: ".", count: 5_000)
        #expect(KeyPattern("upstreams.NAME.query.ITEM").names(in: "upstreams\(dots)x") == nil)
    }

    @Test func everyDefaultIsWhatTheKeyItselfWouldTake() throws {
        for key in KeyTable.keys where !key.isSecret {
            guard let text = key.defaultText, text != "none", !text.hasPrefix("as ") else { continue }
            var configuration = Configuration(environment: "")
            let names = ["a", "b"]
            try key.write(RawValue(form: .text(text)), names, &configuration)
            #expect(key.show(configuration, names) == text, "\(key.pattern.text)")
        }
    }
}

struct UnitTests {
    @Test(
        arguments: [
            ("0B", 0), ("512B", 512), ("64KiB", 65_536), ("1MiB", 1 << 20), ("3GiB", 3 << 30), ("1", nil),
            ("", nil),
            ("B", nil), ("-1B", nil), ("1.5MiB", nil), ("1 MiB", nil), ("1kib", nil),
            ("9999999999999999999GiB", nil),
            ("9223372036854775807KiB", nil), ("+1B", nil), ("١B", nil),
        ] as [(String, Int?)])
    func aSizeIsAWholeNumberAndAUnit(text: String, bytes: Int?) { #expect(ByteSize.parse(text) == bytes) }

    @Test(
        arguments: [
            ("0s", .zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)), ("10m", .seconds(600)),
            ("24h", .seconds(86_400)), ("5", nil), ("", nil), ("s", nil), ("-5s", nil), ("1.5s", nil),
            ("1m30s", nil),
            ("9999999999999999999h", nil), ("9223372036854775807h", nil), ("5S", nil),
        ] as [(String, Duration?)])
    func aDurationIsAWholeNumberAndAUnit(text: String, duration: Duration?) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: [0, 1, 512, 1023, 1024, 1 << 20, 3 << 30, (1 << 24) - 1])
    func aSizeIsShownAsItIsRead(bytes: Int) { #expect(ByteSize.parse(ByteSize.text(bytes)) == bytes) }

    @Test(arguments: [0, 1, 999, 1000, 60_000, 90_000, 3_600_000, 86_400_000])
    func aDurationIsShownAsItIsRead(milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(DurationText.parse(DurationText.text(duration)) == duration)
    }
}

struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1:7400", true), ("[::1]:0", true), ("host-name.example:1", true), ("unix:/run/p", true),
        ("", false), (":1", false), ("a", false), ("a:", false), ("a:b", false), ("a:65536", false),
        ("::1:5", false),
        ("unix:", false), ("a b:1", false), ("-a:1", false), ("a:-1", false),
        ("unix:" + String(repeating: "p", count: 108), false),
    ])
    func anAddressIsHostAndPortOrAPath(text: String, isOne: Bool) {
        #expect((ListenAddress(text) != nil) == isOne)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.9.8.7:1", true), ("localhost:1", true), ("[::1]:1", true),
        ("0.0.0.0:1", false),
        ("127.evil.example:1", false), ("127.0.0.1.evil:1", false), ("10.0.0.1:1", false),
    ])
    func onlyLoopbackIsLoopback(text: String, isLoopback: Bool) {
        #expect(ListenAddress(text)?.isLoopback == isLoopback)
    }
}

struct SpellingTests {
    @Test(
        arguments: [
            ("conections", "connections"), ("frame_bytes", "frameBytes"), ("FRAMEBYTES", "frameBytes"),
            ("farmeBytes", "frameBytes"), ("warn", "warning"), ("x", nil), ("drain", nil), ("", nil),
        ] as [(String, String?)])
    func theNearestIsFewEditsAway(name: String, nearest: String?) {
        #expect(Spelling.nearest(to: name, among: ["connections", "frameBytes", "warning"]) == nearest)
    }
}
