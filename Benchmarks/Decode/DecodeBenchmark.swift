import Foundation
import PorticoSchema
import PorticoTranscode

/// JSON → records, against Foundation's JSONDecoder into Codable structs.
///
/// In the clock: from the bytes of the JSON to the encoded records, or to an array of structs. Both sides
/// check the JSON and its UTF-8 on the way.
enum DecodeBenchmark {
    static func run(corpus path: String?) throws(BenchmarkFault) -> Figures.Decode {
        let corpus =
            try path.map { path throws(BenchmarkFault) in try PeopleCorpus.file(path) } ?? .generated()
        let decoder = RecordDecoder(
            schema: StarWarsSchema.schema, message: StarWarsSchema.page, options: DecodeOptions(mode: .strict)
        )
        let foundation = JSONDecoder()
        let data = corpus.documents.map { Data($0) }
        try check(corpus, decoder, foundation, data)

        let portico = try Measurement { () throws(BenchmarkFault) in try records(of: corpus, decoder) }
        let structs = try Measurement { () throws(BenchmarkFault) in try pages(of: data, foundation) }
        let megabytes = Double(corpus.size) / 1e6
        let figures = Figures.Decode(
            porticoMBPerS: megabytes / portico.median.inSeconds,
            foundationMBPerS: megabytes / structs.median.inSeconds)
        var table = Table.comparison(rate: "MB/s")
        table.add("JSONDecoder → structs", structs, rate: figures.foundationMBPerS, ratio: nil)
        table.add(
            "Portico → records", portico, rate: figures.porticoMBPerS,
            ratio: figures.porticoMBPerS / figures.foundationMBPerS)
        print(
            "\ndecode: \(corpus.name), \(corpus.documents.count) document(s), \(megabytes.digits(2)) MB of JSON"
        )
        print(table.text)
        return figures
    }

    private static func records(
        of corpus: PeopleCorpus, _ decoder: RecordDecoder
    ) throws(BenchmarkFault) -> [DecodedMessage] {
        do {
            return try corpus.documents.map { try decoder.decode($0.span) }
        } catch {
            throw .corpus("\(corpus.name): \(error)")
        }
    }

    private static func pages(of data: [Data], _ decoder: JSONDecoder) throws(BenchmarkFault) -> [CodablePage]
    {
        do {
            return try data.map { try decoder.decode(CodablePage.self, from: $0) }
        } catch {
            throw .corpus("The corpus is not people as swapi answers them: \(error)")
        }
    }

    /// Both sides find as many people, of the same names, with the same eyes.
    private static func check(
        _ corpus: PeopleCorpus, _ decoder: RecordDecoder, _ foundation: JSONDecoder, _ data: [Data]
    ) throws(BenchmarkFault) {
        let decoded = try records(of: corpus, decoder).map { $0.bytes }
        let people = try pages(of: data, foundation).flatMap { $0.results }
        guard !people.isEmpty else { throw .corpus("\(corpus.name) has no people in it.") }
        for (path, expected) in [("name", people.map { $0.name }), ("eye_color", people.map { $0.eyeColor })]
        {
            guard try texts(of: decoded, path) == expected else {
                throw .wrongResult("Portico and JSONDecoder disagree on \(path) in \(corpus.name).")
            }
        }
    }

    private static func texts(of pages: [[UInt8]], _ path: String) throws(BenchmarkFault) -> [String] {
        do {
            let records = try Records(pages: pages, items: StarWarsSchema.people)
            let column = try StarWarsSchema.texts(path, of: records)
            return column.ranges.map { String(decoding: records.bytes[$0.range], as: UTF8.self) }
        } catch {
            throw .wrongResult("Portico's records cannot be read: \(error)")
        }
    }
}
