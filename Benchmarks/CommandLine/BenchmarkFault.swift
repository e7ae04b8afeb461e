import Foundation

/// Why there are no figures.
enum BenchmarkFault: Error {
    /// The command line makes no sense.
    case usage(String)
    /// A file cannot be read or written.
    case file(String, reason: String)
    /// A corpus that is not people as swapi answers them.
    case corpus(String)
    /// The two sides of a comparison disagree, so that neither time means anything.
    case wrongResult(String)
    /// A server or load generator did not do its part.
    case peer(String)
    /// The release build of this program could not be made or started.
    case release(String)

    /// By sysexits.h: EX_USAGE, EX_NOINPUT, EX_DATAERR, EX_SOFTWARE.
    var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .corpus: 65
        case .file: 66
        case .wrongResult, .release, .peer: 70
        }
    }

    func report() {
        let text =
            switch self {
            case .usage(let text): "\(text) `Benchmarks --help` shows what there is."
            case .file(let path, let reason): "\(path): \(reason)"
            case .corpus(let text), .wrongResult(let text), .release(let text), .peer(let text): text
            }
        FileHandle.standardError.write(Data("Benchmarks: \(text)\n".utf8))
    }
}
