import Testing

@testable import PorticoConfig

struct DifferenceTests {
    private static let upstream =
        #""upstreams": {"tv": {"baseURL": "https://a/", "query": {"key": "${KEY}"}}}"#

    private func differences(
        _ before: String, _ after: String, variables: [String: String] = ["KEY": "k"]
    ) throws -> [Difference] {
        let workspace = try Workspace(["Before": before, "After": after])
        return try workspace.load("before", variables: variables).differences(
            to: workspace.load("after", variables: variables))
    }

    @Test func equalEnvironmentsDoNotDiffer() throws {
        #expect(try differences("{\(Self.upstream)}", "{\(Self.upstream)}").isEmpty)
    }

    @Test func everyChangedKeyIsNamedWithBothValues() throws {
        let changed = #"{"limits": {"drain": "3s"}, "upstreams": {"tv": {"baseURL": "https://b/"}}}"#
        #expect(
            try differences("{\(Self.upstream)}", changed).map(\.text) == [
                "limits.drain: 10s → 3s", "upstreams.tv.baseURL: https://a/ → https://b/",
                "upstreams.tv.query.key: ${KEY} → —",
            ])
    }

    @Test func secretsAreComparedAndNeverShown() throws {
        let tokens = ["hunter1", "hunter2"].map { #"{"auth": {"tokens": ["\#($0)"]}}"# }
        let texts = try differences(tokens[0], tokens[1]).map(\.text)
        #expect(texts == ["auth.tokens: «secret» (another value)"])
        #expect(try differences(tokens[0], tokens[0]).isEmpty)
    }

    @Test func environmentsCanBeComparedWithoutTheirSecrets() throws {
        let workspace = try Workspace([
            "Before": #"{"auth": {"tokens": ["${A}"]}}"#, "After": #"{"auth": {"tokens": ["${B:-x}"]}}"#,
        ])
        let loader = ConfigurationLoader(directory: workspace.directory, variables: [:])
        let before = try loader.load(environment: "before", secrets: .byName)
        let after = try loader.load(environment: "after", secrets: .byName)
        #expect(before.differences(to: after).map(\.text) == ["auth.tokens: ${A} → ${B}"])
    }
}

struct ReloadingTests {
    private func reloading(_ running: String, to newer: String) throws -> Reloading {
        let workspace = try Workspace(["Running": running, "Newer": newer])
        return try workspace.load("running").reloading(to: workspace.load("newer"))
    }

    @Test func whatNeedsARestartIsKeptAndTheRestIsApplied() throws {
        let result = try reloading(
            #"{"listen": {"address": "127.0.0.1:1"}}"#,
            to: #"{"listen": {"address": "127.0.0.1:2", "loops": 3}, "limits": {"drain": "3s"}}"#)
        #expect(
            result.waiting.map(\.text) == [
                "listen.address: 127.0.0.1:1 → 127.0.0.1:2", "listen.loops: 0 → 3",
            ])
        #expect(result.applied.map(\.text) == ["limits.drain: 10s → 3s"])
        #expect(result.configuration.configuration.listen.address == "127.0.0.1:1")
        #expect(result.configuration.configuration.limits.drain == .seconds(3))
        #expect(result.configuration.shown("listen.address") == "127.0.0.1:1")
    }

    /// A key that says that it needs a restart is kept; every other one is taken over.
    @Test(arguments: KeyTable.keys.map(\.pattern.text)) func everyKeyIsEitherKeptOrApplied(pattern: String)
        throws
    {
        let key = try #require(KeyTable.keys.first { $0.pattern.text == pattern })
        let sample = try #require(KeySample(key))
        let workspace = try Workspace(["One": sample.file(0), "Other": sample.file(1)])
        let (one, other) = (try workspace.load("one"), try workspace.load("other"))
        let result = try one.reloading(to: other)
        let kept = key.reload == .needsRestart
        let expected = kept ? one.configuration : other.configuration
        #expect(key.isSame(result.configuration.configuration, expected, sample.names))
        #expect(!key.isSame(one.configuration, other.configuration, sample.names))
        #expect((kept ? result.waiting : result.applied).map(\.key) == [sample.key])
    }

    @Test func whatDoesNotGoWithWhatIsKeptIsAFault() throws {
        let workspace = try Workspace([
            "Running": "{}",
            "Newer":
                #"{"sandbox": {"address": "127.0.0.1:0"}, "upstreams": {"tv": {"baseURL": "sandbox:tv/"}}}"#,
        ])
        let (running, newer) = (try workspace.load("running"), try workspace.load("newer"))
        #expect {
            _ = try running.reloading(to: newer)
        } throws: { error in
            (error as? ConfigurationFaults)?.faults.map(\.message) == [
                "upstreams.tv.baseURL: points at the sandbox, but sandbox.address is not set in the running server; "
                    + "this needs a restart"
            ]
        }
    }
}
