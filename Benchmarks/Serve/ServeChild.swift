import Foundation

/// A process that belongs to the benchmark, and what the kernel knows of it.
final class ServeChild {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private(set) var port: UInt16 = 0

    /// This program in another role.
    convenience init(role: String, _ words: [String]) throws(BenchmarkFault) {
        try self.init(program: ProcessInfo.processInfo.arguments[0], [ServeRole.word, role] + words)
    }

    init(program: String, _ words: [String]) throws(BenchmarkFault) {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.standardInput = input
        process.standardOutput = output
        do { try process.run() } catch {
            throw .peer("\(program) cannot be started: \(error.localizedDescription)")
        }
    }

    /// One that says `ready PORT` first.
    static func server(role: String, _ words: [String]) throws(BenchmarkFault) -> ServeChild {
        try ServeChild(role: role, words).ready(role)
    }

    /// Another program that ends its first line with the port it listens on.
    static func server(program: String, _ words: [String]) throws(BenchmarkFault) -> ServeChild {
        try ServeChild(program: program, words).ready(program)
    }

    private func ready(_ name: String) throws(BenchmarkFault) -> ServeChild {
        let line = line() ?? "nothing"
        guard let port = line.split(separator: " ").last.flatMap({ UInt16($0) }) else {
            throw .peer("The \(name) server did not start: \(line)")
        }
        self.port = port
        return self
    }

    /// Nil: there is no such program on this machine.
    static func path(of name: String) -> String? {
        ["/usr/local/go/bin/", "/usr/local/bin/", "/usr/bin/", "/usr/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// For programs that cannot be told to choose one themselves.
    static func freePort() throws(BenchmarkFault) -> UInt16 {
        let probe = try server(role: "bare", ["", "1"])
        defer { probe.end() }
        return probe.port
    }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }

    /// Waits for its end.
    func hasSucceeded() -> Bool {
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    static func load(_ plan: LoadPlan) throws(BenchmarkFault) -> LoadResult {
        let child = try ServeChild(role: "load", plan.words)
        return try child.loadResult(plan)
    }

    func loadResult(_ plan: LoadPlan) throws(BenchmarkFault) -> LoadResult {
        guard let result = line().flatMap({ LoadResult(words: $0) }) else {
            throw .wrongResult("An answer was not the one asked for (\(plan.words.joined(separator: " "))).")
        }
        process.waitUntilExit()
        return result
    }

    /// The next line it writes; nil at the end.
    func line() -> String? {
        var bytes = Data()
        while true {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == Data([0x0a]) { return String(decoding: bytes, as: UTF8.self) }
            bytes += byte
        }
    }

    /// Allocations so far; only the server under test counts them.
    func allocations() throws(BenchmarkFault) -> Int {
        input.fileHandleForWriting.write(Data("\n".utf8))
        guard let count = line().flatMap({ Int($0) }) else { throw .peer("The server has ended.") }
        return count
    }

    /// In user and kernel mode, in hundredths of a second (proc(5), fields 14 and 15).
    var cpuSeconds: Double {
        let text =
            (try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: " ")
        guard fields.count > 15, let user = Double(fields[13]), let kernel = Double(fields[14]) else {
            return 0
        }
        return (user + kernel) / 100
    }

    /// Resident, in bytes.
    var memoryBytes: Int {
        let path = "/proc/\(processID)/status"
        let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmRSS:") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// Servers end with their standard input.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func terminate() {
        process.terminate()
        process.waitUntilExit()
    }
}
