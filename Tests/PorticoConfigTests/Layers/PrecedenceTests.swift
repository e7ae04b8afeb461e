import PorticoSchema
import PorticoTranscode
import Testing

@testable import PorticoConfig

/// One key of each kind, with a value for each layer.
struct LayeredKey: Sendable, CustomTestStringConvertible {
    let key: String
    let variable: String
    let builtIn: String
    /// As JSON.
    let base: String
    let file: String
    let variableValue: String
    let option: String
    /// How the base's and the file's values are shown.
    let shownBase: String
    let shownFile: String

    var testDescription: String { key }

    static let all = [
        LayeredKey(
            key: "limits.connections", variable: "PORTICO_LIMITS_CONNECTIONS", builtIn: "10000",
            base: "11", file: "12", variableValue: "13", option: "14", shownBase: "11", shownFile: "12"),
        LayeredKey(
            key: "limits.frameBytes", variable: "PORTICO_LIMITS_FRAME_BYTES", builtIn: "1MiB",
            base: #""1KiB""#, file: #""2KiB""#, variableValue: "3KiB", option: "4KiB", shownBase: "1KiB",
            shownFile: "2KiB"),
        LayeredKey(
            key: "cache.fresh", variable: "PORTICO_CACHE_FRESH", builtIn: "1m",
            base: #""1s""#, file: #""250ms""#, variableValue: "3h", option: "24h", shownBase: "1s",
            shownFile: "250ms"),
        LayeredKey(
            key: "sandbox.faults", variable: "PORTICO_SANDBOX_FAULTS", builtIn: "false",
            base: "true", file: "false", variableValue: "true", option: "false", shownBase: "true",
            shownFile: "false"),
        LayeredKey(
            key: "log.level", variable: "PORTICO_LOG_LEVEL", builtIn: "info",
            base: #""debug""#, file: #""warning""#, variableValue: "error", option: "debug",
            shownBase: "debug", shownFile: "warning"),
        LayeredKey(
            key: "operator.address", variable: "PORTICO_OPERATOR_ADDRESS", builtIn: "none",
            base: #""127.0.0.1:1""#, file: "null", variableValue: "unix:/run/portico", option: "[::1]:9",
            shownBase: "127.0.0.1:1", shownFile: "none"),
        LayeredKey(
            key: "cache.directory", variable: "PORTICO_CACHE_DIRECTORY", builtIn: "none",
            base: #""/a""#, file: #""/b""#, variableValue: "none", option: "/d", shownBase: "/a",
            shownFile: "/b"),
        LayeredKey(
            key: "decode.mode", variable: "PORTICO_DECODE_MODE", builtIn: "lossy",
            base: #""strict""#, file: #""lossy""#, variableValue: "strict", option: "lossy",
            shownBase: "strict", shownFile: "lossy"),
    ]

    /// `{"limits": {"connections": 11}}`
    func document(_ value: String, extending base: String? = nil) -> String {
        let parts = key.split(separator: ".")
        let extends = base.map { "\"extends\": \"\($0)\", " } ?? ""
        return "{\(extends)\"\(parts[0])\": {\"\(parts[1])\": \(value)}}"
    }
}

struct PrecedenceTests {
    @Test(arguments: LayeredKey.all) func aKeyThatNoLayerGivesHasItsDefault(key: LayeredKey) throws {
        let loaded = try Workspace(["Test": "{}"]).load()
        #expect(loaded.shown(key.key) == key.builtIn)
        #expect(loaded.origin(of: key.key) == .builtIn)
    }

    @Test(arguments: LayeredKey.all) func aFileWinsOverTheDefault(key: LayeredKey) throws {
        let workspace = try Workspace(["Test": key.document(key.base)])
        let loaded = try workspace.load()
        let column = key.document("").count - 1
        #expect(loaded.shown(key.key) == key.shownBase)
        let place = SourceLocation(file: "\(workspace.directory)/Test.json", line: 1, column: column)
        #expect(loaded.origin(of: key.key) == .file(place))
    }

    @Test(arguments: LayeredKey.all) func aFileWinsOverTheOneItExtends(key: LayeredKey) throws {
        let workspace = try Workspace([
            "Base": key.document(key.base), "Test": key.document(key.file, extending: "base"),
        ])
        #expect(try workspace.load().shown(key.key) == key.shownFile)
        #expect(try workspace.load("BASE").shown(key.key) == key.shownBase)
    }

    @Test(arguments: LayeredKey.all) func whatAFileLeavesOutComesFromTheOneItExtends(key: LayeredKey) throws {
        let workspace = try Workspace([
            "Base": key.document(key.base), "Middle": #"{"extends": "BASE"}"#,
            "Test": #"{"extends": "Middle"}"#,
        ])
        #expect(try workspace.load().shown(key.key) == key.shownBase)
    }

    @Test(arguments: LayeredKey.all) func aVariableWinsOverFiles(key: LayeredKey) throws {
        let workspace = try Workspace(["Test": key.document(key.file)])
        let loaded = try workspace.load(variables: [key.variable: key.variableValue])
        #expect(loaded.shown(key.key) == key.variableValue)
        #expect(loaded.origin(of: key.key) == .variable(key.variable))
    }

    @Test(arguments: LayeredKey.all) func anOptionWinsOverEverything(key: LayeredKey) throws {
        let workspace = try Workspace(["Test": key.document(key.file)])
        let loaded = try workspace.load(
            variables: [key.variable: key.variableValue], set: [key.key: key.option])
        #expect(loaded.shown(key.key) == key.option)
        #expect(loaded.origin(of: key.key) == .option("--set"))
    }

    @Test func ofTwoOptionsForOneKeyTheLaterCounts() throws {
        let workspace = try Workspace(["Test": "{}"])
        let loaded = try ConfigurationLoader(directory: workspace.directory, variables: [:]).load(
            environment: "test",
            overrides: [
                Override(key: "listen.address", value: "127.0.0.1:1", option: "--listen"),
                Override(key: "listen.address", value: "127.0.0.1:2"),
            ])
        #expect(loaded.configuration.listen.address == "127.0.0.1:2")
    }

    @Test func anUpstreamIsMergedKeyByKey() throws {
        let workspace = try Workspace([
            "Base": """
            {"upstreams": {"tv": {"baseURL": "https://a/", "timeout": "1s", "retry": {"attempts": 5},
                                  "query": {"a": "1", "b": "2"}}}}
            """,
            "Test": """
            {"extends": "Base", "upstreams": {"tv": {"timeout": "2s", "query": {"b": "3"}}}}
            """,
        ])
        let tv = try #require(try workspace.load().configuration.upstreams["tv"])
        #expect(tv.baseURL == "https://a/")
        #expect(tv.timeout == .seconds(2))
        #expect(tv.retry.attempts == 5)
        #expect(tv.query.mapValues(\.revealed) == ["a": "1", "b": "3"])
    }

    @Test(arguments: [
        ("PORTICO_UPSTREAMS_STAFF_IMAGES_BASE_URL", "https://b/", "upstreams.staff-images.baseURL"),
        ("PORTICO_UPSTREAMS_STAFF_IMAGES_RETRY_ATTEMPTS", "7", "upstreams.staff-images.retry.attempts"),
        ("PORTICO_UPSTREAMS_STAFF_IMAGES_QUERY_API_KEY", "x", "upstreams.staff-images.query.api_key"),
        ("PORTICO_CACHE_METHODS_A_V1_B_LIST_PEOPLE_STALE", "9s", "cache.methods.a.v1.B/ListPeople.stale"),
        ("PORTICO_DECODE_METHODS_A_V1_B_LIST_PEOPLE", "lossy", "decode.methods.a.v1.B/ListPeople"),
        ("PORTICO_FLAGS_SHOW_POSTERS_STATE", "DISABLED", "flags.show-posters.state"),
    ])
    func aVariableReachesWhatFilesName(variable: String, value: String, key: String) throws {
        let workspace = try Workspace([
            "Test": """
            {"upstreams": {"staff-images": {"baseURL": "https://a/", "query": {"api_key": "k"}}},
             "cache": {"methods": {"a.v1.B/ListPeople": {"fresh": "1s"}}},
             "decode": {"methods": {"a.v1.B/ListPeople": "strict"}},
             "flags": {"show-posters": {"variants": {"on": true}, "defaultVariant": "on"}}}
            """
        ])
        #expect(try workspace.load(variables: [variable: value]).origin(of: key) == .variable(variable))
    }

    @Test func anOptionCanNameWhatNoFileNames() throws {
        let loaded = try Workspace(["Test": "{}"]).load(set: [
            "upstreams.new.baseURL": "https://new/", "upstreams.new.query.a.b": "c",
            "cache.methods.a.v1.B/C.fresh": "2s",
            "flags.x.variants": #"{"on": 1}"#, "flags.x.defaultVariant": "on",
        ])
        #expect(loaded.configuration.upstreams["new"]?.query["a.b"]?.revealed == "c")
        #expect(loaded.configuration.cache.methods["a.v1.B/C"]?.fresh == .seconds(2))
        #expect(loaded.configuration.flags["x"]?.variants == ["on": .number("1")])
    }

    @Test func twoMeaningsOfAVariableAreAFaultOnlyWhenItIsSet() throws {
        let workspace = try Workspace([
            "Test": #"{"upstreams": {"a-b": {"baseURL": "https://a/"}, "a_b": {"baseURL": "https://b/"}}}"#
        ])
        #expect(workspace.faults().isEmpty)
        #expect(
            workspace.faults(variables: ["PORTICO_UPSTREAMS_A_B_TIMEOUT": "1s"]) == [
                "PORTICO_UPSTREAMS_A_B_TIMEOUT: it could mean upstreams.a-b.timeout or upstreams.a_b.timeout; use --set"
            ])
    }
}
