import Foundation
import PorticoTranscode

/// JSON → records, against Foundation's JSONDecoder into Codable structs.
///
/// In the clock: from the bytes of the JSON to the encoded records, or to an array of structs. Both sides
/// check the JSON and its UTF-8 on the way.
struct DecodeBenchmark {
    private let corpus: Corpus
    private let schema: CorpusSchema
    private let decoder: RecordDecoder
    private let data: [Data]

    init(_ corpus: Corpus) throws(BenchmarkFault) {
        self.corpus = corpus
        schema = try CorpusSchema(corpus.kind)
        decoder = RecordDecoder(
            schema: schema.schema, message: schema.page, options: DecodeOptions(mode: .strict))
        data = corpus.documents.map { Data($0) }
    }

    func run() throws(BenchmarkFault) -> Figures.Comparison {
        try check()
        let portico = try Measurement { () throws(BenchmarkFault) in try records() }
        let foundation = try Measurement { () throws(BenchmarkFault) in try structs() }
        let figures = Figures.Comparison(
            portico: Figures.Rate(portico, amount: corpus.megabytes),
            foundation: Figures.Rate(foundation, amount: corpus.megabytes))
        var table = Table.comparison(rate: "MB/s")
        table.add("JSONDecoder → structs", foundation, rate: figures.foundation.median, ratio: nil)
        table.add("Portico → records", portico, rate: figures.portico.median, ratio: figures.ratio)
        print(
            "\ndecode: \(corpus.name), \(corpus.documents.count) document(s), "
                + "\(corpus.megabytes.digits(2)) MB of JSON")
        print(table.text)
        return figures
    }

    private func records() throws(BenchmarkFault) -> [DecodedMessage] {
        do {
            return try corpus.documents.map { try decoder.decode($0.span) }
        } catch {
            throw .corpus("\(corpus.name): \(error)")
        }
    }

    private func structs() throws(BenchmarkFault) -> [any CodableDocument] {
        try data.map { json throws(BenchmarkFault) in try corpus.kind.document.decoded(json) }
    }

    /// Both sides find as many items, with the same texts.
    private func check() throws(BenchmarkFault) {
        let pages = try records().map { $0.bytes }
        var expected: [String: [String?]] = [:]
        for document in try structs() {
            expected.merge(document.texts) { $0 + $1 }
        }
        for (field, texts) in expected {
            guard !texts.isEmpty else { throw .corpus("\(corpus.name) has no items in it.") }
            guard try schema.texts(field, of: pages) == texts else {
                throw .wrongResult("Portico and JSONDecoder disagree on \(field) in \(corpus.name).")
            }
        }
    }
}
