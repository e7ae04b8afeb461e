import Foundation

/// Where a command writes; a stand-in collects the text in tests.
struct Console: Sendable {
    /// Standard output, a line at a time.
    let print: @Sendable (String) -> Void
    /// Standard error, a line at a time.
    let complain: @Sendable (String) -> Void
    /// Standard output, bytes as they are. A reader that has gone away is no fault.
    var write: @Sendable ([UInt8]) -> Void = { Self.writeToStandardOutput($0) }
    /// Whether standard error is a person's terminal that shows colours.
    var errorIsColoured = false
    /// Whether standard error is a person's terminal: progress is shown there.
    var errorIsTerminal = false

    /// `portico: error: …`, in red where there are colours. Many lines stay many lines.
    func fail(_ message: String) {
        let label = errorIsColoured ? "\u{1b}[31merror:\u{1b}[0m" : "error:"
        complain("portico: \(label) \(message)")
    }

    /// What was asked for and cannot be written ends the program (EX_IOERR): a full disk must not look like success.
    private static func writeToStandardOutput(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR {
                let reason = unsafe String(cString: strerror(errno))
                FileHandle.standardError.writeLine(
                    "portico: error: standard output cannot be written: \(reason)")
                exit(ExitStatus.outputFailed.rawValue)
            }
        }
    }

    /// The process's own streams.
    static func process(variables: [String: String]) -> Console {
        let isTerminal = isatty(STDERR_FILENO) == 1
        // no-color.org
        let wantsNone = variables["NO_COLOR"]?.isEmpty == false || variables["TERM"] == "dumb"
        return Console(
            print: { FileHandle.standardOutput.writeLine($0) },
            complain: { FileHandle.standardError.writeLine($0) },
            errorIsColoured: isTerminal && !wantsNone, errorIsTerminal: isTerminal)
    }
}

extension FileHandle {
    /// A reader that has gone away (`portico config | head`) is no fault.
    fileprivate func writeLine(_ line: String) {
        try? write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// How the program ends (sysexits.h).
enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The server answered, with an error.
    case refused = 1
    case usage = 64
    case badInput = 65
    case unavailable = 69
    case software = 70
    case outputFailed = 74
    case configuration = 78
}
