import Foundation
import PorticoClient
import PorticoConfig
import PorticoServer
import Testing

@testable import portico

@Suite struct ReloaderTests {
    private static let people = "starwars.v1.Characters/ListPeople"

    @Test func aFlagAndABaseURLChangeUnderAConnectionThatLivesOn() async throws {
        try await LiveServer.run { server in
            let client = try server.connect()
            #expect(try await client.flags("f")["f"].state == .on)
            #expect(try await client.call(Self.people, request: []).origin == .miss)
            try server.replace(LiveServer.environment(flag: "off", people: "sandbox:staff/"))
            let report = await server.reload()
            #expect(
                report.applied.map(\.text) == [
                    "upstreams.starwars.baseURL: sandbox:starwars/ → sandbox:staff/",
                    "flags.f.defaultVariant: on → off",
                ])
            #expect(report.faults.isEmpty && report.waiting.isEmpty && report.generation == 2)
            #expect(try await client.flags("f")["f"].state == .off)
            await #expect(throws: PorticoClientError.self) { try await client.call(Self.people, request: []) }
            try server.replace(LiveServer.environment())
            _ = await server.reload()
            #expect(try await client.call(Self.people, request: []).origin == .miss)
        }
    }

    @Test func whatIsKeptLivesThroughAReloadThatDoesNotConcernIt() async throws {
        try await LiveServer.run { server in
            let client = try server.connect()
            _ = try await client.call(Self.people, request: [])
            try server.replace(LiveServer.environment(flag: "off", more: #""limits": { "drain": "1s" },"#))
            _ = await server.reload()
            #expect(try await client.call(Self.people, request: []).origin == .hit)
        }
    }

    @Test func aBadFileChangesNothingAndIsShown() async throws {
        try await LiveServer.run { server in
            let client = try server.connect()
            try server.replace(#"{ "limit": {}, "cache": { "fresh": "5" } }"#)
            let report = await server.reload()
            #expect(report.generation == 1)
            #expect(
                report.faults.map { $0.replacing(server.directory, with: "") } == [
                    "/Live.json:1:3: limit: no such key; did you mean limits?",
                    "/Live.json:1:36: cache.fresh: \"5\" is not a duration (ms, s, m, h); did you mean \"5s\"?",
                ])
            #expect(try await client.flags("f")["f"].state == .on)
            let page = try await server.ask("")
            #expect(page.contains(#""generation":1,"failedReload":{"time":"#) && page.contains("no such key"))
            let configuration = try await server.ask("config")
            #expect(configuration.contains(#""flags.f.defaultVariant":{"value":"on""#))
            #expect(configuration.contains("no such key"))
            try server.replace(LiveServer.environment())
            #expect(await server.reload().faults.isEmpty)
            #expect(try await server.ask("").contains(#""generation":2,"failedReload":null"#))
        }
    }

    /// Port 1 of this machine: nobody listens there.
    @Test func anUpstreamThatIsDownIsToldWithoutAClientAndSoIsItsReturn() async throws {
        let down = "http://127.0.0.1:1/"
        try await LiveServer.run(LiveServer.environment(people: down)) { server in
            while try await !server.ask("readyz").contains("upstream starwars: fails") { await Task.yield() }
            #expect(
                try await server.ask("readyz").hasPrefix(
                    "ready: 1 of 7 upstreams fail, kept answers are served\n"))
            #expect(try await server.connect().flags("f")["f"].state == .on)
            try server.replace(
                LiveServer.environment(people: down, operators: #", "readyNeeds": "everyUpstream""#))
            #expect(
                await server.reload().applied.map(\.text) == ["operator.readyNeeds: server → everyUpstream"])
            #expect(try await server.ask("readyz").hasPrefix("not ready: 1 of 7 upstreams fail\n"))
            try server.replace(LiveServer.environment())
            _ = await server.reload()
            while try await !server.ask("readyz").contains("upstream starwars: answers") {
                await Task.yield()
            }
            #expect(try await server.ask("readyz").hasPrefix("ready\n"))
        }
    }

    @Test func withoutProbesNobodyIsAsked() async throws {
        let text = LiveServer.environment(operators: #", "probeUpstreams": false"#)
        try await LiveServer.run(text) { server in
            _ = try await server.connect().call(Self.people, request: [])
            let lines = try await server.ask("readyz").split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("not asked yet") } == 6)
        }
    }

    @Test func aMissingFileChangesNothing() async throws {
        try await LiveServer.run { server in
            try FileManager.default.removeItem(atPath: "\(server.directory)/Live.json")
            #expect(await server.reload().faults.count == 1)
            #expect(try await server.connect().flags("f")["f"].state == .on)
        }
    }

    @Test func anotherAddressIsToldToNeedARestart() async throws {
        try await LiveServer.run { server in
            let text = LiveServer.environment(flag: "off").replacing(
                #""listen": { "address": "127.0.0.1:0", "loops": 2 }"#,
                with: #""listen": { "address": "127.0.0.1:9", "loops": 2 }"#)
            try server.replace(text)
            for _ in 0..<2 {
                let report = await server.reload()
                #expect(report.waiting.map(\.text) == ["listen.address: 127.0.0.1:0 → 127.0.0.1:9"])
            }
            #expect(try await server.ask("config").contains(#""needRestart":["listen.address"#))
            #expect(try await server.connect().flags("f")["f"].state == .off)
        }
    }

    @Test func reloadsAtTheSameTimeTakeTurnsAndTheLastSeesTheNewestFile() async throws {
        try await LiveServer.run { server in
            async let first = server.reload()
            try server.replace(LiveServer.environment(flag: "off"))
            async let others = withTaskGroup(of: ReloadReport.self) { group in
                for _ in 0..<5 { group.addTask { await server.reload() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let reports = await [first] + others
            #expect(reports.map(\.generation).sorted() == Array(2...7))
            #expect(reports.flatMap(\.applied).map(\.text) == ["flags.f.defaultVariant: on → off"])
            #expect(try await server.connect().flags("f")["f"].state == .off)
        }
    }

    /// 1,000 reloads take a minute: `PORTICO_LONG_TESTS=1 swift test --filter noCallFails`.
    @Test func noCallFailsWhileTheServerIsReloadedOverAndOver() async throws {
        let count = ProcessInfo.processInfo.environment["PORTICO_LONG_TESTS"] == nil ? 8 : 1000
        try await LiveServer.run { server in
            let texts = ["on", "off"].map { LiveServer.environment(flag: $0) }
            let load = Task {
                let clients = try (0..<3).map { _ in try server.connect() }
                var calls = 0
                while !Task.isCancelled {
                    for client in clients {
                        _ = try await client.call(Self.people, request: [])
                        #expect(try await client.flags("f")["f"].state != .unknown)
                        calls += 2
                    }
                }
                return calls
            }
            _ = await server.reload()
            let before = residentBytes()
            for round in 0..<count {
                try server.replace(texts[round % 2])
                #expect(await server.reload().generation == round + 3)
            }
            load.cancel()
            // The last call may have been cancelled with its task; every one before it has been answered.
            do { _ = try await load.value } catch is CancellationError {}
            while try await !server.ask("metrics").contains("portico_generations_in_memory 1\n") {
                await Task.yield()
            }
            #expect(residentBytes() - before < 64 << 20)
        }
    }
}

extension LiveServer {
    /// The operator's answer to `GET /path`.
    fileprivate func ask(_ path: String) async throws -> String {
        let address = try #require(process.operatorAddress)
        return try await OperatorClient(address: "\(address)").get(path)
    }
}

/// From `/proc/self/statm`: pages, of which the second number counts those in memory.
private func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
