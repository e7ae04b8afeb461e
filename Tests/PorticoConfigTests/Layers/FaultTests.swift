import Testing

@testable import PorticoConfig

struct FaultTests {
    static let inFiles: [(text: String, fault: String)] = [
        // Names.
        (
            #"{"limits": {"conections": 1}}"#,
            "Test.json:1:13: limits.conections: no such key; did you mean limits.connections?"
        ),
        (#"{"limit": {}}"#, "Test.json:1:2: limit: no such key; did you mean limits?"),
        (
            #"{"frameBytes": "1MiB"}"#,
            "Test.json:1:2: frameBytes: no such key; did you mean limits.frameBytes?"
        ),
        (#"{"extend": "Base"}"#, "Test.json:1:2: extend: no such key; did you mean extends?"),
        (#"{"zzzzzz": 1}"#, "Test.json:1:2: zzzzzz: no such key"),
        (
            #"{"upstreams": {"tv": {"baseUrl": "https://a/"}}}"#,
            "Test.json:1:23: upstreams.tv.baseUrl: no such key; did you mean upstreams.tv.baseURL?"
        ),
        (
            #"{"upstreams": {"t.v": {"baseURL": "https://a/"}}}"#,
            "Test.json:1:16: upstreams.t.v: an upstream's name holds letters, digits, - and _ only"
        ),
        (
            #"{"cache": {"methods": {"ListPeople": {}}}}"#,
            "Test.json:1:24: cache.methods.ListPeople: a method is named package.Service/Method"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/", "headers": {"Content-Length": "5"}}}}"#,
            "Test.json:1:78: upstreams.tv.headers.Content-Length: the client writes this field by itself, or not at all"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/", "headers": {"X-A": "1", "x-a": "2"}}}}"#,
            "Test.json:1:79: upstreams.tv.headers.x-a: is the same field as X-A"
        ),
        // Texts that would be more than one line, or more than text.
        (
            #"{"x\n/etc/passwd:1:1: forged\u001b[2J": 1}"#,
            #"Test.json:1:2: x\n/etc/passwd:1:1: forged\u{1B}[2J: no such key"#
        ),
        (
            #"{"cache": {"directory": "${A:-${B}}"}}"#,
            "Test.json:1:25: cache.directory: the default of ${A:-…} holds a ${; a default is plain text"
        ),
        // Types.
        (#"{"limits": 5}"#, "Test.json:1:12: limits: expected an object, found a number"),
        ("[]", "Test.json:1:1: an environment file holds an object, not a list"),
        (
            #"{"limits": {"connections": "many"}}"#,
            "Test.json:1:28: limits.connections: expected an integer, found \"many\""
        ),
        (
            #"{"limits": {"connections": 1.5}}"#,
            "Test.json:1:28: limits.connections: expected an integer, found 1.5"
        ),
        (
            #"{"sandbox": {"faults": "yes"}}"#,
            "Test.json:1:24: sandbox.faults: expected true or false, found \"yes\""
        ),
        (
            #"{"limits": {"drain": 10}}"#,
            "Test.json:1:22: limits.drain: expected a duration such as \"5s\", found a number"
        ),
        (
            #"{"limits": {"drain": null}}"#,
            "Test.json:1:22: limits.drain: expected a duration such as \"5s\", found null"
        ),
        // Units.
        (
            #"{"limits": {"frameBytes": "64KB"}}"#,
            "Test.json:1:27: limits.frameBytes: \"64KB\" is not a size (B, KiB, MiB, GiB); did you mean \"64KiB\"?"
        ),
        (
            #"{"limits": {"frameBytes": "99999999999999GiB"}}"#,
            "Test.json:1:27: limits.frameBytes: \"99999999999999GiB\" is not a size (B, KiB, MiB, GiB)"
        ),
        (
            #"{"limits": {"drain": "5 sec"}}"#,
            "Test.json:1:22: limits.drain: \"5 sec\" is not a duration (ms, s, m, h); did you mean \"5s\"?"
        ),
        (
            #"{"images": {"fresh": "1d"}}"#,
            "Test.json:1:22: images.fresh: \"1d\" is not a duration (ms, s, m, h); did you mean \"24h\"?"
        ),
        // Bounds.
        (
            #"{"limits": {"connections": 0}}"#,
            "Test.json:1:28: limits.connections: 0 is outside 1 to 10000000"
        ),
        (
            #"{"limits": {"streamsPerConnection": -1}}"#,
            "Test.json:1:37: limits.streamsPerConnection: -1 is outside 1 to 1000000"
        ),
        (
            #"{"limits": {"frameBytes": "16MiB"}}"#,
            "Test.json:1:27: limits.frameBytes: \"16MiB\" is outside 64B to 16777215B"
        ),
        (
            #"{"limits": {"setupTimeout": "0s"}}"#,
            "Test.json:1:29: limits.setupTimeout: \"0s\" is outside 1ms to 1h"
        ),
        // Choices.
        (
            #"{"log": {"level": "warn"}}"#,
            "Test.json:1:19: log.level: \"warn\" is not one of debug, info, warning, error; did you mean \"warning\"?"
        ),
        (
            #"{"decode": {"mode": "stict"}}"#,
            "Test.json:1:21: decode.mode: \"stict\" is not one of lossy, strict; did you mean \"strict\"?"
        ),
        // Addresses and URLs.
        (
            #"{"listen": {"address": "7400"}}"#,
            "Test.json:1:24: listen.address: \"7400\" is not HOST:PORT or unix:PATH; did you mean \"127.0.0.1:7400\"?"
        ),
        (
            #"{"listen": {"address": "host:99999"}}"#,
            "Test.json:1:24: listen.address: \"host:99999\" is not HOST:PORT or unix:PATH"
        ),
        (
            #"{"sandbox": {"address": "0.0.0.0:80"}}"#,
            "Test.json:1:25: sandbox.address: \"0.0.0.0:80\" is not a loopback address; only this machine may reach it; "
                + "did you mean \"127.0.0.1:80\"?"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/b"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: \"https://a/b\" does not end with a slash; did you mean \"https://a/b/\"?"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "htps://a/"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: \"htps://a/\" has the scheme `htps`; http, https and sandbox are known; "
                + "did you mean \"https://a/\"?"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "example.org"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: \"example.org\" is not a URL: it has no scheme; "
                + "did you mean \"https://example.org/\"?"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/?key=1"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: the URL must not hold `?`; query items go into `query`"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://:80/"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: \"https://:80/\" is not a URL: its host or port is wrong"
        ),
        // What only the whole shows.
        (
            #"{"upstreams": {"tv": {"timeout": "1s"}}}"#,
            "Test.json:1:16: upstreams.tv: baseURL is missing"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "sandbox:tv/"}}}"#,
            "Test.json:1:34: upstreams.tv.baseURL: points at the sandbox, but sandbox.address is not set"
        ),
        (
            #"{"operator": {"address": "127.0.0.1:7400"}}"#,
            "Test.json:1:26: operator.address: is the same address as listen.address"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/", "retry": {"maxDelay": "50ms"}}}}"#,
            "Test.json:1:70: upstreams.tv.retry.baseDelay: 100ms is longer than upstreams.tv.retry.maxDelay, 50ms"
        ),
        (
            #"{"upstreams": {"tv": {"baseURL": "https://a/", "retry": {"baseDelay": "3s"}}}}"#,
            "Test.json:1:71: upstreams.tv.retry.baseDelay: 3s is longer than upstreams.tv.retry.maxDelay, 2s"
        ),
        // Flags.
        (
            #"{"flags": {"x": {"state": "ON", "variants": {"on": true}, "defaultVariant": "on"}}}"#,
            "Test.json:1:27: flags.x.state: \"ON\" is not ENABLED or DISABLED"
        ),
        (
            #"{"flags": {"x": {"variants": {"on": true}, "defaultVariant": "onn"}}}"#,
            "Test.json:1:62: flags.x.defaultVariant: no variant is named \"onn\"; did you mean \"on\"?"
        ),
        (
            #"{"flags": {"x": {"variants": {"on": true, "off": 0}, "defaultVariant": "on"}}}"#,
            "Test.json:1:50: flags.x.variants: all variants are of one type, but `on` is true or false and `off` is a number"
        ),
        (#"{"flags": {"x": {"variants": {"on": 1}}}}"#, "Test.json:1:12: flags.x: defaultVariant is missing"),
        (
            #"{"flags": {"x": {"variants": {"on": 1}, "defaultVariant": "on", "targeting": {"iff": []}}}}"#,
            "Test.json:1:79: flags.x.targeting: no operator `iff`; did you mean `if`?"
        ),
        (
            #"{"flags": {"x": {"variants": {"on": 1}, "defaultVariant": "on", "targeting": {"if": [true, "of"]}}}}"#,
            "Test.json:1:78: flags.x.targeting: no variant is named \"of\"; did you mean \"on\"?"
        ),
        // The text itself.
        (
            #"{"limits": {}, "limits": {}}"#,
            "Test.json:1:16: `limits` occurs twice in this object; first at line 1"
        ),
        (#"{"limits" {}}"#, "Test.json:1:11: expected : behind the name \"limits\""),
        ("", "Test.json:1:1: the text is empty; it should hold one object: { … }"),
        // Interpolation.
        (
            #"{"auth": {"tokens": ["${NOWHERE}"]}}"#,
            "Test.json:1:21: auth.tokens: the environment variable NOWHERE is not set"
        ),
        // Tokens.
        (
            #"{"auth": {"tokens": [{"token": "a"}]}}"#,
            "Test.json:1:22: auth.tokens: a token's object needs roles: read, write or both"
        ),
        (
            #"{"auth": {"tokens": [{"roles": ["read"]}]}}"#,
            "Test.json:1:22: auth.tokens: a token's object needs token"
        ),
        (
            #"{"auth": {"tokens": [{"token": "a", "roles": ["admin"]}]}}"#,
            "Test.json:1:47: auth.tokens: roles are a list of read, write or both"
        ),
        (
            #"{"auth": {"tokens": [{"token": "a", "roles": []}]}}"#,
            "Test.json:1:46: auth.tokens: roles are a list of read, write or both"
        ),
        (
            #"{"auth": {"tokens": [{"token": "a", "role": ["read"]}]}}"#,
            "Test.json:1:37: auth.tokens: a token has token and roles, nothing else"
        ),
        (
            #"{"cache": {"directory": "/a/${b"}}"#,
            "Test.json:1:25: cache.directory: ${ is never closed; expected }. A plain ${ is written $${"
        ),
        (
            #"{"cache": {"directory": "${a b}"}}"#,
            "Test.json:1:25: cache.directory: `${a b}` is neither ${NAME} nor ${NAME:-default}"
        ),
        (#"{"extends": "Nowhere"}"#, "Test.json:1:13: no environment `Nowhere` in DIRECTORY; it holds Test"),
        (#"{"extends": "test"}"#, "Test.json:1:13: extends: these files extend each other: Test → Test"),
        (#"{"extends": 5}"#, "Test.json:1:13: extends: expected the name of an environment, found a number"),
    ]

    @Test(arguments: inFiles) func aFaultInAFileSaysWhereAndWhatIsMeant(text: String, fault: String) throws {
        let workspace = try Workspace(["Test": text])
        #expect(workspace.faults().map { $0.replacing(workspace.directory, with: "DIRECTORY") } == [fault])
    }

    @Test(arguments: [
        (
            "PORTICO_LIMITS_CONECTIONS", "1",
            "no key has this variable, and no environment file takes it; "
                + "did you mean PORTICO_LIMITS_CONNECTIONS?"
        ),
        ("PORTICO_ZZZ", "1", "no key has this variable, and no environment file takes it"),
        ("PORTICO_LIMITS_CONNECTIONS", "", "limits.connections: expected an integer, found \"\""),
        ("PORTICO_CACHE_DIRECTORY", "", "cache.directory: the path is empty; none says that there is none"),
        (
            "PORTICO_LIMITS_DRAIN", "5",
            "limits.drain: \"5\" is not a duration (ms, s, m, h); did you mean \"5s\"?"
        ),
    ])
    func aFaultInAVariableNamesIt(variable: String, value: String, fault: String) throws {
        let workspace = try Workspace(["Test": "{}"])
        #expect(workspace.faults(variables: [variable: value]) == ["\(variable): \(fault)"])
    }

    @Test(arguments: [
        ("limits.conections", "1", "--set limits.conections: no such key; did you mean limits.connections?"),
        ("limits.drain", "x", "--set limits.drain: \"x\" is not a duration (ms, s, m, h)"),
        (
            "upstreams.a b.timeout", "1s",
            "--set upstreams.a b.timeout: an upstream's name holds letters, digits, - and _ only"
        ),
        (
            "upstreams.new.timeout", "1s",
            "--set upstreams.new.timeout: upstreams.new: baseURL is missing"
        ),
    ])
    func aFaultInAnOptionNamesIt(key: String, value: String, fault: String) throws {
        #expect(try Workspace(["Test": "{}"]).faults(set: [key: value]) == [fault])
    }

    @Test(arguments: [
        ("upstreams.tv.header.X", "upstreams.tv.headers.X"),
        ("upstreams.tv.querry.k", "upstreams.tv.query.k"),
        ("upstreams.tv.timout", "upstreams.tv.timeout"),
    ])
    func aMisspeltOptionOfAnUpstreamIsToldItsNearest(key: String, nearest: String) throws {
        let workspace = try Workspace(["Test": #"{"upstreams": {"tv": {"baseURL": "https://a/"}}}"#])
        #expect(workspace.faults(set: [key: "1"]) == ["--set \(key): no such key; did you mean \(nearest)?"])
    }

    @Test(arguments: [#"{"a": 1}"#, #"["a", 1]"#, "["]) func whatIsNoListOfTokensIsNoToken(text: String)
        throws
    {
        let faults = try Workspace(["Test": "{}"]).faults(variables: ["PORTICO_AUTH_TOKENS": text])
        #expect(faults.count == 1 && faults[0].hasPrefix("PORTICO_AUTH_TOKENS: auth.tokens: expected "))
    }

    @Test func everyFaultOfEveryLayerIsFoundAtOnceInTheirOrder() throws {
        let workspace = try Workspace([
            "Base": #"{"limits": {"drain": "x"}, "log": {"levl": "info"}}"#,
            "Test": """
            {
              "extends": "Base",
              "limits": { "connections": 0, "drain": "5s" },
              "upstreams": { "tv": { "query": { "k": "${KEY}" } } }
            }
            """,
        ])
        let faults = workspace.faults(
            variables: ["PORTICO_LOG_FORMT": "json"], set: ["images.maxBytes": "1"])
        #expect(
            faults == [
                #"Base.json:1:22: limits.drain: "x" is not a duration (ms, s, m, h)"#,
                "Base.json:1:36: log.levl: no such key; did you mean log.level?",
                "Test.json:3:30: limits.connections: 0 is outside 1 to 10000000",
                "Test.json:4:18: upstreams.tv: baseURL is missing",
                "Test.json:4:42: upstreams.tv.query.k: the environment variable KEY is not set",
                "PORTICO_LOG_FORMT: no key has this variable, and no environment file takes it; "
                    + "did you mean PORTICO_LOG_FORMAT?",
                #"--set images.maxBytes: "1" is not a size (B, KiB, MiB, GiB); did you mean "1B"?"#,
            ])
    }

    @Test func aFaultInOneFileDoesNotMakeTheOthersLookWrong() throws {
        let workspace = try Workspace([
            "Base": #"{"upstreams": {"tv": {"baseURL": "https://a/"}}"#,
            "Test": #"{"extends": "Base", "upstreams": {"tv": {"timeout": "1s"}}}"#,
        ])
        let faults = workspace.faults(variables: ["PORTICO_UPSTREAMS_TV_TIMEOUT": "2s"])
        #expect(faults == ["Base.json:1:48: the text ends here; expected , or }"])
    }

    @Test func aMissingDirectoryIsNamed() {
        let loader = ConfigurationLoader(directory: "/nowhere/at/all", variables: [:])
        #expect {
            try loader.load(environment: "test")
        } throws: { error in
            "\(error)" == "/nowhere/at/all: the directory of environment files does not exist"
        }
    }

    @Test func anUnknownEnvironmentNamesTheKnownOnes() throws {
        let workspace = try Workspace(["Production": "{}", "Test": "{}"])
        let fault = workspace.faults("prodution").first?.replacing(workspace.directory, with: "DIRECTORY")
        #expect(
            fault == "--env prodution: no environment `prodution` in DIRECTORY; it holds Production, Test; "
                + "did you mean Production?")
    }

    @Test func twoFilesThatDifferInCaseOnlyNeedTheExactName() throws {
        let workspace = try Workspace(["Test": "{}", "TEST": "{}"])
        #expect(workspace.faults("Test").isEmpty)
        #expect(
            workspace.faults("test") == ["--env test: more than one environment has this name: TEST, Test"])
    }
}
