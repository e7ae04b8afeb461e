import Foundation

/// A program that runs beside a measurement, and ends with it.
final class ChildProgram: @unchecked Sendable {
    // SAFETY: both are set up before anybody else sees them; afterwards the process is only asked for its state and told
    // to end, and the pipe is read by one caller.
    private let process = Process()
    private let output = Pipe()
    private let ended = DispatchSemaphore(value: 0)

    /// Nil: there is no such program on this machine.
    static func path(of name: String) -> String? {
        ["/usr/local/go/bin/", "/usr/local/bin/", "/usr/bin/", "/usr/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init(_ path: String, _ arguments: [String]) throws(BenchmarkFault) {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        // Not `waitUntilExit()`: on a task's thread it may wait for ever.
        process.terminationHandler = { [ended] _ in ended.signal() }
        do { try process.run() } catch { throw .file(path, reason: "cannot be started") }
    }

    deinit { stop() }

    func stop() {
        if process.isRunning { process.terminate() }
    }

    /// The first line it prints.
    func line() -> String {
        var bytes = Data()
        while !bytes.contains(10) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            bytes += more
        }
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }

    func succeeded() -> Bool {
        ended.wait()
        return process.terminationStatus == 0
    }

    var memory: Int { ResidentMemory.bytes(of: "\(process.processIdentifier)") }
}

enum ResidentMemory {
    /// Bytes of memory that a process has now (proc(5), statm); 0: unknown.
    static func bytes(of process: String = "self") -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }
}
