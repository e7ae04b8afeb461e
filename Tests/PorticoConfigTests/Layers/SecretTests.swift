import Testing

@testable import PorticoConfig

struct SecretTests {
    private static let secret = "hunter2-very-secret"

    @Test func aTokenMayHaveRolesAndIsNeverShownWithThem() throws {
        let workspace = try Workspace([
            "Test": #"{"auth": {"tokens": ["all", {"token": "${T}", "roles": ["read"]}]}}"#
        ])
        let loaded = try workspace.load(variables: ["T": "hidden"])
        #expect(
            loaded.configuration.auth.tokens
                == [AccessToken("all"), AccessToken("hidden", roles: [.read])])
        #expect(loaded.shown("auth.tokens") == "«secret»")
        let given = try workspace.load(
            variables: ["T": "x", "PORTICO_AUTH_TOKENS": #"[{"token": "w", "roles": ["write"]}]"#])
        #expect(given.configuration.auth.tokens == [AccessToken("w", roles: [.write])])
        #expect(given.shown("auth.tokens") == "«secret» (write)")
    }

    @Test func aSecretIsShownByItsNameOnly() throws {
        let workspace = try Workspace([
            "Test": """
            {"auth": {"tokens": ["${TOKEN}", "${OTHER:-none}"]}, "cache": {"directory": "/x/${TOKEN}"},
             "upstreams": {"tv": {"baseURL": "https://${TOKEN}/", "query": {"k": "${TOKEN}"},
                                  "headers": {"Authorization": "Bearer ${TOKEN}"}}},
             "flags": {"f": {"variants": {"a": "${TOKEN}"}, "defaultVariant": "a"}}}
            """
        ])
        let loaded = try workspace.load(variables: ["TOKEN": Self.secret])
        let tv = try #require(loaded.configuration.upstreams["tv"])
        #expect(tv.baseURL == "https://\(Self.secret)/")
        #expect(tv.headers["Authorization"]?.revealed == "Bearer \(Self.secret)")
        #expect(loaded.configuration.auth.tokens.map(\.secret.revealed) == [Self.secret, "none"])

        let printed = loaded.values.map { "\($0.key) = \($0.shown) # \($0.origin)" }.joined(separator: "\n")
        #expect(!printed.contains(Self.secret))
        #expect(printed.contains("upstreams.tv.baseURL = «secret» # ${TOKEN} in "))
        #expect(printed.contains("auth.tokens = «secret» # ${TOKEN}, ${OTHER} in "))
        #expect(!"\(loaded.configuration.auth)".contains(Self.secret))
        #expect(!String(reflecting: tv.headers).contains(Self.secret))
    }

    @Test(arguments: [
        #"{"limits": {"connections": "${S}"}}"#, #"{"limits": {"drain": "${S}"}}"#,
        #"{"limits": {"frameBytes": "${S}"}}"#, #"{"log": {"level": "${S}"}}"#,
        #"{"sandbox": {"faults": "${S}"}}"#, #"{"listen": {"address": "${S}"}}"#,
        #"{"sandbox": {"address": "${S}"}}"#, #"{"upstreams": {"tv": {"baseURL": "${S}"}}}"#,
        #"{"upstreams": {"tv": {"baseURL": "https://${S}/x"}}}"#,
        #"{"flags": {"x": {"state": "${S}", "variants": {"a": 1}, "defaultVariant": "a"}}}"#,
        #"{"flags": {"x": {"variants": "${S}", "defaultVariant": "a"}}}"#,
        #"{"flags": {"x": {"variants": {"a": 1}, "defaultVariant": "a", "targeting": "${S}"}}}"#,
        #"{"flags": {"x": {"variants": {"a": 1}, "defaultVariant": "${S}"}}}"#,
        #"{"flags": {"x": {"variants": {"a": 1}, "defaultVariant": "a", "targeting": {"if": [true, "${S}"]}}}}"#,
        #"{"methods": {"a.B/C": {"enabledBy": "${S}"}}}"#,
    ])
    func noFaultTellsASecret(text: String) throws {
        for secret in [
            Self.secret, "64KBsecret", "[secret", "{\"secret\": secret}", "htps://secret", "5secret",
        ] {
            let faults = try Workspace(["Test": text]).faults(variables: ["S": secret])
            for fault in faults { #expect(!fault.contains("secret"), "\(fault)") }
        }
    }

    @Test(arguments: ["[abc-token", "[abc-token, 5]", "[5]", "a\nabc-token"])
    func aBrokenListOfTokensIsNotQuoted(text: String) throws {
        let workspace = try Workspace(["Test": "{}"])
        let faults = workspace.faults(variables: ["PORTICO_AUTH_TOKENS": text])
        #expect(faults.count == 1)
        #expect(!faults.joined().contains("abc-token"))
    }

    @Test func anEmptyOrUnsetVariableTakesTheDefault() throws {
        let workspace = try Workspace(["Test": #"{"limits": {"connections": "${N:-77}"}}"#])
        #expect(try workspace.load().configuration.limits.connections == 77)
        #expect(try workspace.load(variables: ["N": ""]).configuration.limits.connections == 77)
        #expect(try workspace.load(variables: ["N": "78"]).configuration.limits.connections == 78)
    }

    @Test func anEmptyVariableWithoutDefaultIsAFault() throws {
        let workspace = try Workspace(["Test": #"{"auth": {"tokens": ["${T}"]}}"#])
        #expect(
            workspace.faults(variables: ["T": ""])
                == ["Test.json:1:21: auth.tokens: the environment variable T is empty"])
    }

    @Test func aSecretThatALaterLayerReplacesNeedNotBeThere() throws {
        let workspace = try Workspace([
            "Base": #"{"auth": {"tokens": ["${GONE}"]}}"#,
            "Test": #"{"extends": "Base", "auth": {"tokens": []}}"#,
        ])
        #expect(try workspace.load().configuration.auth.tokens.isEmpty)
    }

    @Test func twoDollarsMeanOne() throws {
        let workspace = try Workspace(["Test": #"{"cache": {"directory": "/a/$${b}/$c"}}"#])
        let loaded = try workspace.load()
        #expect(loaded.configuration.cache.directory == "/a/${b}/$c")
        #expect(loaded.shown("cache.directory") == "/a/${b}/$c")
    }

    @Test func aVariableThatSomeEnvironmentTakesIsNobodysMisspelling() throws {
        let workspace = try Workspace([
            "Test": "{}", "Production": #"{"auth": {"tokens": ["${PORTICO_TOKEN}"]}}"#,
        ])
        #expect(workspace.faults(variables: ["PORTICO_TOKEN": "x"]).isEmpty)
    }

    @Test func valuesFromVariablesAndOptionsAreTakenLiterally() throws {
        let loaded = try Workspace(["Test": "{}"]).load(
            variables: ["PORTICO_CACHE_DIRECTORY": "${HOME}"], set: ["images.directory": "${HOME}"])
        #expect(loaded.configuration.cache.directory == "${HOME}")
        #expect(loaded.configuration.images.directory == "${HOME}")
    }
}
