import Foundation

/// JSON documents as swapi answers a list of people: `{"count":…,"next":…,"previous":…,"results":[…]}`.
struct PeopleCorpus {
    let name: String
    let documents: [[UInt8]]

    var size: Int { documents.reduce(0) { $0 + $1.count } }

    /// One document with everybody, about 480 bytes a person as in the upstream's own pages.
    static func generated(people count: Int = 12_500) -> PeopleCorpus {
        var writer = PeopleWriter(seed: 1977)
        return PeopleCorpus(name: "\(count) generated people", documents: [writer.document(people: count)])
    }

    /// A user's own upstream answers.
    /// - Throws: a file that cannot be read, or has no document in it.
    static func file(_ path: String) throws(BenchmarkFault) -> PeopleCorpus {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .file(path, reason: "cannot be read")
        }
        let whole = Array(data)
        let documents = isOneDocument(data) ? [whole] : lines(of: whole)
        guard !documents.isEmpty else { throw .corpus("\(path) is empty.") }
        return PeopleCorpus(name: path, documents: documents)
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
