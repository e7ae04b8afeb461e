import Foundation
import PorticoClient
import PorticoConfig
import PorticoWire
import Testing

@testable import PorticoUpstream
@testable import portico

/// What is kept of an answer when its upstream begins to misbehave, and by how many it is asked for.
enum AskedWhile: String, CaseIterable, Codable, Sendable {
    case cold
    case fresh
    case stale
    /// Nothing is kept, and many ask at once.
    case crowded
}

/// Every row of ``FaultRow``, one after the other, in a process that does nothing else: what it has open and in memory
/// is the test's.
struct FaultMatrix {
    private static let crowd = 20
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private let startUp: StartUp
    private let sandbox: FaultySandbox
    private let asked: AskedWhile
    /// In the sandbox's list.
    private let employees: Int

    static func run(_ asked: AskedWhile) async throws {
        let matrix = try await prepare(asked)
        // Once before it counts, so that what a process opens and keeps for good is there.
        try await matrix.run(FaultRow(#""slow", "delayMs": 1"#, .answer(.everybody)))
        let before = ProcessFacts.now
        for row in FaultRow.all {
            try await matrix.run(row)
            await eventually("\(row.fault): every descriptor closed") {
                ProcessFacts.now.descriptors <= before.descriptors
            }
        }
        #expect(ProcessFacts.now.residentBytes - before.residentBytes < 32 << 20)
        await matrix.sandbox.stop()
    }

    private static func prepare(_ asked: AskedWhile) async throws -> FaultMatrix {
        var options = EnvironmentOptions()
        options.environment = "test"
        options.overrides = [Override(key: "sandbox.address", value: "127.0.0.1:0")]
        let context = ProcessContext(variables: [:], currentDirectory: root, executable: "\(root)/portico")
        let startUp = try await StartUp.check(options, in: context)
        let sandbox = try await FaultySandbox.start(
            #require(startUp.sandbox), startUp.loaded.configuration.sandbox)
        let stage = try await FaultStage(
            FaultRow("", .answer(.everybody)), startUp, sandboxPort: sandbox.port, callsAtATime: 1)
        let employees = try await stage.call().employees
        await stage.end()
        return FaultMatrix(startUp: startUp, sandbox: sandbox, asked: asked, employees: employees)
    }

    private func run(_ row: FaultRow) async throws {
        try await watched(row) { stage in
            switch asked {
            case .cold: try await cold(row, stage)
            case .fresh: try await fresh(row, stage)
            case .stale: try await stale(row, stage)
            case .crowded: try await crowded(row, stage)
            }
        }
    }

    /// With a server of its own of which nothing is left in the end: no task, timer or connection that has a hold on its
    /// repository or its client.
    private func watched(_ row: FaultRow, _ body: (FaultStage) async throws -> Void) async throws {
        weak var repository: Repository?
        weak var client: PorticoClient?
        do {
            let stage = try await FaultStage(
                row, startUp, sandboxPort: sandbox.port, callsAtATime: asked == .crowded ? 1 : 64)
            (repository, client) = (stage.repository, stage.client)
            try await sandbox.forgetRequests()
            try await body(stage)
            await eventually("\(row.fault): at rest") { stage.isAtRest }
            try await sandbox.behave()
            await stage.end()
        }
        await eventually("\(row.fault): repository and client gone") { repository == nil && client == nil }
    }

    // MARK: What is kept, and who asks

    private func cold(_ row: FaultRow, _ stage: FaultStage) async throws {
        try await sandbox.misbehave(row.fault, at: FaultStage.employeesPath)
        try await ask(stage, expecting: .init(row.result, .miss), atLeast: row.atLeast, row)
        try await expectRequests(row.requests, row)
    }

    private func fresh(_ row: FaultRow, _ stage: FaultStage) async throws {
        _ = try await stage.call()
        try await sandbox.misbehave(row.fault, at: FaultStage.employeesPath)
        try await ask(stage, expecting: .init(.answer(.everybody), .hit), row)
        try await expectRequests(1, row)
    }

    private func stale(_ row: FaultRow, _ stage: FaultStage) async throws {
        _ = try await stage.call()
        // Else the upstream would have nothing newer, and no body to get wrong.
        try await sandbox.rename("After \(row.fault.filter(\.isLetter))")
        try await sandbox.forgetRequests()
        try await sandbox.misbehave(row.fault, at: FaultStage.employeesPath)
        stage.clock.advance(by: FaultStage.fresh + .seconds(1))
        let kept = Outcome(.answer(.everybody), .stale)
        try await ask(stage, expecting: kept, row)
        await eventually("\(row.fault): the refresh ended") { stage.isAtRest }
        try await expectRequests(row.requests + row.freeRetries, row)
        let refreshed = Outcome(row.result, .hit)
        try await ask(stage, expecting: refreshed.isAnswer ? refreshed : kept, row)
        try await expectRequests(row.requests + row.freeRetries, row)
    }

    /// The upstream takes one call at a time and somebody is before them, so that all of them are there when theirs is
    /// made.
    private func crowded(_ row: FaultRow, _ stage: FaultStage) async throws {
        try await sandbox.misbehave(row.fault, at: FaultStage.employeesPath)
        try await sandbox.misbehave(#""hang""#, at: FaultStage.basePath)
        let first = try stage.occupy()
        try await eventually("\(row.fault): the first is asked") {
            try await sandbox.requests == [FaultStage.basePath: 1]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.crowd {
                group.addTask {
                    try await ask(stage, expecting: .init(row.result, .miss), atLeast: row.atLeast, row)
                }
            }
            await eventually("\(row.fault): all wait") { stage.repository.inFlight.waiters == Self.crowd }
            first.cancel()
            try await group.waitForAll()
        }
        #expect(await first.value.error == .cancelled, "\(row.fault)")
        try await expectRequests(row.requests, row, and: [FaultStage.basePath: 1])
    }

    /// The upstream call goes on while one of many waits for it, and ends when the last one leaves.
    static func runLeaving() async throws {
        let matrix = try await prepare(.crowded)
        let row = FaultRow(#""hang""#, .failure("DEADLINE_EXCEEDED"))
        try await matrix.watched(row) { stage in
            try await matrix.sandbox.misbehave(row.fault, at: FaultStage.employeesPath)
            let calls = (0..<crowd).map { _ in Task { try await stage.call() } }
            try await eventually("all wait, one is asked") {
                try await matrix.sandbox.requests == [FaultStage.employeesPath: 1]
                    && stage.repository.inFlight.waiters == crowd
            }
            for call in calls.dropFirst() { call.cancel() }
            await eventually("one waits") { stage.repository.inFlight.waiters == 1 }
            #expect(stage.repository.upstreams.clients["directory"]?.inFlight.running == 1)
            calls[0].cancel()
            await eventually("nobody is asked") { stage.isAtRest }
            for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
            try await matrix.expectRequests(1, row)
        }
        await matrix.sandbox.stop()
    }

    /// What was known is answered with its age, and what was derived from it, when everything is down at the start.
    static func runRestart() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "portico-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let matrix = try await prepare(.stale)
        // The server counts deadlines by the machine's time: they lie beyond what the clock is moved by.
        let row = FaultRow("", .answer(.everybody)) { $0.patience = .seconds(600) }
        let routes = [FaultStage.employees, FaultStage.teams]
        let first = try await FaultStage(
            row, matrix.startUp, sandboxPort: matrix.sandbox.port, callsAtATime: 1, directory: directory)
        let known = try await (first.call(routes[0]).message, first.call(routes[1]).message)
        await first.repository.settleDisk()
        await first.end()
        await matrix.sandbox.stop()
        let second = try await FaultStage(
            row, matrix.startUp, sandboxPort: matrix.sandbox.port, callsAtATime: 1, directory: directory)
        second.clock.advance(by: FaultStage.fresh + .seconds(40))
        for (route, message) in zip(routes, [known.0, known.1]) {
            let reply = try await second.call(route)
            #expect(reply.message == message && reply.origin == .stale && reply.age >= .seconds(99))
        }
        await eventually("the refreshes have failed") { second.isAtRest }
        #expect(try await second.call().origin == .stale)
        await second.end()
    }

    // MARK: What must come of it

    private struct Outcome: Equatable {
        let result: FaultRow.Result
        /// Nil: it failed.
        let origin: Reply.Origin?

        init(_ result: FaultRow.Result, _ origin: Reply.Origin?) {
            self.result = result
            switch result {
            case .answer: self.origin = origin
            case .failure: self.origin = nil
            }
        }

        var isAnswer: Bool { origin != nil }
    }

    private func ask(
        _ stage: FaultStage, expecting expected: Outcome, atLeast: Duration = .zero, _ row: FaultRow
    ) async throws {
        let began = ContinuousClock.now
        let outcome = try await outcome(stage)
        let took = ContinuousClock.now - began
        #expect(outcome == expected, "\(row.fault)")
        #expect(took >= atLeast && took < atLeast + FaultRow.atOnce, "\(row.fault)")
    }

    private func outcome(_ stage: FaultStage) async throws -> Outcome {
        do {
            let reply = try await stage.call()
            let content: FaultRow.Content? =
                switch (try reply.employees, reply.skippedItems) {
                case (employees, 0): .everybody
                case (0, 0): .nobody
                case (employees - 1, 1): .allButOne
                case _: nil
                }
            return Outcome(.answer(try #require(content)), reply.origin)
        } catch PorticoClientError.failed(let code, _) {
            return Outcome(.failure(code), nil)
        }
    }

    /// None but these, wherever a redirect led.
    private func expectRequests(_ count: Int, _ row: FaultRow, and others: [String: Int] = [:]) async throws {
        let expected = others.merging([FaultStage.employeesPath: count]) { $1 }
        #expect(try await sandbox.requests == expected, "\(row.fault)")
    }
}

extension Reply {
    /// How many a `ListEmployeesResponse` holds.
    fileprivate var employees: Int {
        get throws {
            var cursor = ProtobufCursor(0..<message.count)
            var count = 0
            while let tag = try cursor.nextTag(in: message.span) {
                try cursor.skip(tag.wireType, in: message.span)
                count += 1
            }
            return count
        }
    }
}

/// Within ``FaultRow/atOnce``, so that what had to be waited for, an attempt that nobody wants any more for one, is told from
/// what ends by itself.
private func eventually(_ what: String, _ isSo: () async throws -> Bool) async rethrows {
    let end = ContinuousClock.now + FaultRow.atOnce
    while try await !isSo() {
        guard ContinuousClock.now < end else {
            Issue.record("not within \(FaultRow.atOnce): \(what)")
            return
        }
        await Task.yield()
    }
}

/// What the kernel says about this process.
private struct ProcessFacts {
    let descriptors: Int
    let residentBytes: Int

    static var now: ProcessFacts {
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // proc(5): pages in all, pages in memory, …
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return ProcessFacts(
            descriptors: descriptors ?? .max,
            residentBytes: (pages.flatMap { Int($0[1]) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))))
    }
}
