import Foundation
import Synchronization
import Testing

@testable import portico

/// Collects what a command writes.
private final class Transcript: Sendable {
    private let lines = Mutex<(output: [String], errors: [String])>(([], []))

    var console: Console {
        Console(
            print: { line in self.lines.withLock { $0.output.append(line) } },
            complain: { line in self.lines.withLock { $0.errors.append(line) } })
    }
    var output: [String] { lines.withLock { $0.output } }
    var errors: [String] { lines.withLock { $0.errors } }
}

struct CheckAndConfigTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private func process(_ variables: [String: String] = [:], in directory: String = root) -> ProcessContext {
        ProcessContext(variables: variables, currentDirectory: directory, executable: "\(directory)/portico")
    }

    private func run(_ arguments: [String], _ process: ProcessContext) async throws -> (
        portico.ExitStatus, Transcript
    ) {
        let transcript = Transcript()
        switch try Command(arguments) {
        case .check(let command): return (await command.run(transcript.console, in: process), transcript)
        case .config(let command): return (command.run(transcript.console, in: process), transcript)
        case .serve, .call, .list, .describe, .convert, .reload, .images, .help:
            return (portico.ExitStatus.software, transcript)
        }
    }

    private var places: [String] {
        ["--schemas", "\(Self.root)/Schemas", "--environments", "\(Self.root)/Environments"]
    }

    @Test(arguments: ["development", "TEST"]) func aGoodEnvironmentIsOneLine(name: String) async throws {
        let (status, transcript) = try await run(["check", "--env", name] + places, process())
        #expect(status == .success)
        #expect(transcript.errors.isEmpty)
        #expect(transcript.output.count == 1)
        #expect(transcript.output.first?.hasPrefix("portico: \(name.lowercased()) is ready to start") == true)
    }

    @Test func everyMissingSecretIsAFaultWithItsPlace() async throws {
        let (status, transcript) = try await run(["check", "--env", "production"] + places, process())
        #expect(status == .configuration)
        #expect(transcript.output.isEmpty)
        #expect(transcript.errors.count == 3)
        #expect(transcript.errors[0].hasSuffix("the environment variable PORTICO_TOKEN is not set"))
        #expect(transcript.errors[1].hasSuffix("the environment variable TMDB_API_KEY is not set"))
        #expect(transcript.errors[2] == "portico: error: 2 faults in the configuration")
    }

    @Test func faultsOfSchemasAndOfTheEnvironmentComeTogether() async throws {
        let (status, transcript) = try await run(
            [
                "check", "--schemas", "/nowhere", "--environments", "\(Self.root)/Environments", "--set",
                "x=1",
            ],
            process())
        #expect(status == .configuration)
        #expect(transcript.errors.contains("--set x: no such key"))
        #expect(transcript.errors.contains("--schemas /nowhere: there is no such directory"))
    }

    @Test func faultsOfTheSandboxComeWithThoseOfSchemas() async throws {
        let (status, transcript) = try await run(
            [
                "check", "--schemas", "/nowhere", "--environments", "\(Self.root)/Environments", "--set",
                "upstreams.tv.baseURL=sandbox:tw/",
            ],
            process())
        #expect(status == .configuration)
        #expect(transcript.errors.count == 3)
        #expect(transcript.errors[0].hasSuffix("the sandbox has no folder tw; did you mean tv?"))
        #expect(transcript.errors[1] == "--schemas /nowhere: there is no such directory")
    }

    @Test func aFileOfTheSandboxIsNamedAsTheEnvironmentsAre() async throws {
        let copy = NSTemporaryDirectory() + "portico-check-\(UUID())"
        try FileManager.default.copyItem(atPath: "\(Self.root)/Environments", toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try Data("[".utf8).write(to: URL(filePath: "\(copy)/Sandbox/tv/routes.json"))
        let (status, transcript) = try await run(
            ["check", "--schemas", "\(Self.root)/Schemas", "--environments", copy], process())
        #expect(status == .configuration)
        #expect(transcript.errors.contains { $0.hasPrefix("\(copy)/Sandbox/tv/routes.json:1:") })
    }

    @Test func anUpstreamThatTheSandboxDoesNotHaveIsAFault() async throws {
        let change = ["--set", "upstreams.tv.baseURL=sandbox:tw/"]
        let (status, transcript) = try await run(["check"] + change + places, process())
        #expect(status == .configuration)
        #expect(transcript.errors.first?.hasSuffix("the sandbox has no folder tw; did you mean tv?") == true)
    }

    @Test(arguments: [
        "http://u:hunter2@h/", "https://h/?q=hunter2", "u:hunter2@h/", "hunter2@h", "ftp://u:hunter2@h/",
        "sandbox:tv/?hunter2",
    ]) func aBaseURLThatHoldsASecretIsRefusedWithoutIt(url: String) async throws {
        let (status, transcript) = try await run(
            ["check", "--set", "upstreams.tv.baseURL=\(url)"] + places, process())
        #expect(status == .configuration)
        #expect(!transcript.errors.joined().contains("hunter2"))
    }

    @Test func originsArePrintedAndSecretsAreNot() async throws {
        let variables = [
            "PORTICO_TOKEN": "hunter2-token", "TMDB_API_KEY": "hunter2-key", "PORTICO_LOG_LEVEL": "debug",
        ]
        let arguments = ["config", "--env", "production", "--origins", "--set", "limits.drain=3s"] + places
        let (status, transcript) = try await run(arguments, process(variables))
        #expect(status == .success)
        let text = transcript.output.joined(separator: "\n")
        #expect(!text.contains("hunter2"))
        #expect(transcript.output.first == "# Production")
        func line(_ key: String) -> String? {
            transcript.output.first { $0.hasPrefix("\(key) = ") }?.split(separator: " ").joined(
                separator: " ")
        }
        #expect(line("limits.drain") == "limits.drain = 3s # --set")
        #expect(line("log.level") == "log.level = debug # PORTICO_LOG_LEVEL")
        #expect(line("listen.loops") == "listen.loops = 0 # default")
        #expect(
            line("auth.tokens")?.hasPrefix(
                "auth.tokens = «secret» # ${PORTICO_TOKEN} in \(Self.root)/Environments/Production.json:")
                == true)
    }

    @Test func withoutDirectoriesHereThoseAboveTheProgramAreTaken() async throws {
        let elsewhere = ProcessContext(
            variables: [:], currentDirectory: "/", executable: "\(Self.root)/.build/debug/portico")
        let found = try Directories.find("Schemas", option: "schemas", given: nil, in: elsewhere)
        #expect(found == "\(Self.root)/Schemas")
    }

    @Test func whereThereAreNoneTheFaultNamesTheOption() {
        let nowhere = ProcessContext(
            variables: [:], currentDirectory: "/proc", executable: "/nowhere/portico")
        #expect {
            try Directories.find("Schemas", option: "schemas", given: nil, in: nowhere)
        } throws: { error in
            "\(error)" == "Schemas: there is no such directory here, nor beside the program; "
                + "name one with --schemas DIR"
        }
    }
}
