import Testing

@testable import PorticoConfig

struct MethodFlagTests {
    private static func file(_ methods: String) -> String {
        """
        {"flags": {"open": {"variants": {"on": true}, "defaultVariant": "on"},
                   "ages": {"variants": {"long": "1h", "short": "1s"}, "defaultVariant": "short"},
                   "modes": {"variants": {"a": "strict"}, "defaultVariant": "a"}},
         "methods": {"a.B/C": {\(methods)}}}
        """
    }

    @Test(arguments: [
        (#""enabledBy": "opne""#, "methods.a.B/C.enabledBy: no flag is named opne; did you mean open?"),
        (
            #""enabledBy": "ages""#,
            "methods.a.B/C.enabledBy: every variant of ages must be true or false; `long` is \"1h\""
        ),
        (
            #""freshBy": "open""#,
            "methods.a.B/C.freshBy: every variant of open must be a duration; `on` is true"
        ),
        (
            #""decodeBy": "ages""#,
            "methods.a.B/C.decodeBy: every variant of ages must be \"lossy\" or \"strict\"; `long` is \"1h\""
        ),
    ])
    func aFlagThatDoesNotFitIsAFault(methods: String, message: String) throws {
        let faults = try Workspace(["Test": Self.file(methods)]).faults()
        #expect(faults.count == 1 && faults.first?.hasSuffix(message) == true, "\(faults)")
    }

    @Test func flagsChooseFreshnessAndDecodingForAllClients() throws {
        let text = Self.file(#""freshBy": "ages", "decodeBy": "modes", "enabledBy": "open""#)
        let chosen = try Workspace(["Test": text]).load().configuration.choosingByFlags(timestamp: 0)
        #expect(chosen.cache.methods["a.B/C"]?.fresh == .seconds(1))
        #expect(chosen.decode.methods["a.B/C"] == .strict)
    }

    @Test func aMethodThatNoSchemaHasIsAFault() throws {
        let loaded = try Workspace(["Test": Self.file(#""enabledBy": "open""#)]).load()
        #expect(loaded.faults(upstreams: [], routes: ["a.B/D"]).count == 1)
    }
}
