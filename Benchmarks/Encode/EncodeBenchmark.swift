import Foundation
import PorticoTranscode

/// Records → JSON, against Foundation's JSONEncoder from Codable structs.
///
/// In the clock: from the encoded records, or the structs, to the bytes of the JSON. The two differ in how much
/// they write (proto3 leaves zero values out), so each rate counts its own bytes.
enum EncodeBenchmark {
    static func run(_ corpus: Corpus) throws(BenchmarkFault) -> Figures.Comparison {
        let schema = try CorpusSchema(corpus.kind)
        let decoder = RecordDecoder(schema: schema.schema, message: schema.page)
        let encoder = RecordEncoder(schema: schema.schema, message: schema.page)
        let input = corpus.documents[0]
        let records = try decoded(input, decoder)
        let written = try json(records, encoder)
        // Compared as messages: those read from the hostile JSON have their fields in the order of its shuffled keys,
        // those read from what was written have them by number.
        guard
            try canonical(decoded(written, decoder), schema) == canonical(records, schema)
        else {
            throw .wrongResult("Portico's JSON of \(corpus.name) does not give the same records again.")
        }
        let portico = try Measurement { () throws(BenchmarkFault) in try json(records, encoder) }
        let document = try corpus.kind.document.decoded(Data(input))
        let size = try document.encoded().count
        let foundation = try Measurement { () throws(BenchmarkFault) in try document.encoded() }
        let figures = Figures.Comparison(
            portico: Figures.Rate(portico, amount: Double(written.count) / 1e6),
            foundation: Figures.Rate(foundation, amount: Double(size) / 1e6))
        var table = Table.comparison(rate: "MB/s")
        table.add("structs → JSONEncoder", foundation, rate: figures.foundation.median, ratio: nil)
        table.add("records → Portico", portico, rate: figures.portico.median, ratio: figures.ratio)
        print("\nencode: \(corpus.name), \((Double(written.count) / 1e6).digits(2)) MB of JSON")
        print(table.text)
        return figures
    }

    private static func decoded(
        _ json: [UInt8], _ decoder: RecordDecoder
    ) throws(BenchmarkFault) -> [UInt8] {
        do {
            return try decoder.decode(json.span).bytes
        } catch {
            throw .wrongResult("The JSON cannot be read: \(error)")
        }
    }

    private static func canonical(
        _ records: [UInt8], _ schema: CorpusSchema
    ) throws(BenchmarkFault) -> [UInt8] {
        do {
            return try PorticoTranscode.canonical(records.span, as: schema.page, in: schema.schema)
        } catch {
            throw .wrongResult("The records are no messages: \(error)")
        }
    }

    private static func json(
        _ records: [UInt8], _ encoder: RecordEncoder
    ) throws(BenchmarkFault) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(records.count * 2)
        do {
            try encoder.encode(records.span, into: &json)
        } catch {
            throw .wrongResult("The records cannot be written: \(error)")
        }
        return json
    }
}
