/// The corpora; each is one long list as an upstream answers it, made from a fixed seed.
enum CorpusKind: String, CaseIterable {
    /// People as swapi has them: short texts, lists of URLs.
    case starwars
    /// A company directory: long texts, one optional field in three null.
    case directory
    /// Shows as TMDB has them: numbers, floats, arrays, long texts.
    case tmdb
    /// People whose texts are full of escapes and non-ASCII, keys in another order each time, pretty-printed.
    case hostile

    /// The structs that JSONDecoder fills.
    var document: any CodableDocument.Type {
        switch self {
        case .starwars, .hostile: CodablePage.self
        case .directory: CodableDirectory.self
        case .tmdb: CodableShows.self
        }
    }

    /// The message of `corpora.proto`.
    var message: String {
        switch self {
        case .starwars, .hostile: "corpora.PeoplePage"
        case .directory: "corpora.EmployeePage"
        case .tmdb: "corpora.ShowPage"
        }
    }

    /// One document of `bytes` bytes or a little more: whole items until it is long enough.
    func document(ofBytes bytes: Int) -> [UInt8] {
        switch self {
        case .starwars: PeopleWriter.document(PeopleWriter(seed: 1977), bytes: bytes)
        case .directory: DirectoryWriter.document(DirectoryWriter(seed: 2009), bytes: bytes)
        case .tmdb: ShowWriter.document(ShowWriter(seed: 2008), bytes: bytes)
        case .hostile: HostileWriter.document(HostileWriter(seed: 1138), bytes: bytes)
        }
    }
}

/// Writes the items of a corpus one after the other.
protocol ItemWriter {
    /// What stands before the first item.
    static var opening: String { get }
    static var closing: String { get }
    mutating func write(item number: Int, to json: inout [UInt8])
}

extension ItemWriter {
    static func document(_ writer: Self, bytes: Int) -> [UInt8] {
        var writer = writer
        var json = Array(opening.utf8)
        json.reserveCapacity(bytes + bytes / 8 + 4096)
        var number = 1
        repeat {
            if number > 1 { json.append(UInt8(ascii: ",")) }
            writer.write(item: number, to: &json)
            number += 1
        } while json.count < bytes
        json.append(contentsOf: closing.utf8)
        return json
    }
}
