import Foundation

/// JSON documents of one kind.
struct Corpus {
    let kind: CorpusKind
    let name: String
    let documents: [[UInt8]]

    var size: Int { documents.reduce(0) { $0 + $1.count } }
    var megabytes: Double { Double(size) / 1e6 }

    /// One document.
    static func generated(_ kind: CorpusKind, bytes: Int) -> Corpus {
        Corpus(kind: kind, name: kind.rawValue, documents: [kind.document(ofBytes: bytes)])
    }

    /// A user's own upstream answers: people as swapi has them.
    /// - Throws: a file that cannot be read, or has no document in it.
    static func file(_ path: String) throws(BenchmarkFault) -> Corpus {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .file(path, reason: "cannot be read")
        }
        let whole = Array(data)
        let documents = isOneDocument(data) ? [whole] : lines(of: whole)
        guard !documents.isEmpty else { throw .corpus("\(path) is empty.") }
        return Corpus(kind: .starwars, name: path, documents: documents)
    }

    private static func isOneDocument(_ data: Data) -> Bool {
        (try? JSONSerialization.jsonObject(with: data)) != nil
    }

    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "\n"))
            .map { Array($0) }
            .filter { line in line.contains { !" \t\r".utf8.contains($0) } }
    }
}
