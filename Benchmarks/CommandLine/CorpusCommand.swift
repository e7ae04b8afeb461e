import Foundation

/// `Benchmarks corpus`: writes what is measured to a file, so that other programs can measure the same.
struct CorpusCommand: Equatable {
    private enum Content: Equatable {
        case json(CorpusKind, bytes: Int)
        /// The records of `group`, as CSV.
        case rows(Int)
    }
    private let content: Content
    private let output: String

    /// Of the corpora that `decode` and `encode` measure.
    static let defaultBytes = 6_000_000

    static func parse(_ words: ArraySlice<String>) throws(BenchmarkFault) -> CorpusCommand {
        var rest = words
        var (name, output): (String?, String?) = (nil, nil)
        var (bytes, rows) = (defaultBytes, 5_000_000)
        while let word = rest.popFirst() {
            switch word {
            case "--name": name = try OptionValue.text(of: word, from: &rest)
            case "--output": output = try OptionValue.text(of: word, from: &rest)
            case "--bytes": bytes = try OptionValue.number(of: word, upTo: 1_000_000_000, from: &rest)
            case "--rows": rows = try OptionValue.number(of: word, upTo: Arguments.maximumRows, from: &rest)
            default: throw .usage("“\(word)” is no option of corpus.")
            }
        }
        guard let name, let output else { throw .usage("corpus needs --name and --output.") }
        if name == "rows" { return CorpusCommand(content: .rows(rows), output: output) }
        guard let kind = CorpusKind(rawValue: name) else { throw .usage("There is no corpus “\(name)”.") }
        return CorpusCommand(content: .json(kind, bytes: bytes), output: output)
    }

    func write() throws(BenchmarkFault) {
        let bytes =
            switch content {
            case .json(let kind, let bytes): kind.document(ofBytes: bytes)
            case .rows(let count): GroupRows(count: count, keys: Arguments().keys).csv
            }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: output))
        } catch {
            throw .file(output, reason: "cannot be written (\(error.localizedDescription))")
        }
    }
}
