import Foundation

/// What a Swift program decodes a corpus into, and encodes again.
protocol CodableDocument: Codable, Sendable {
    /// Some texts of every item, by field: what both sides of a comparison must agree on.
    var texts: [String: [String?]] { get }
}

extension CodableDocument {
    static func decoded(_ json: Data) throws(BenchmarkFault) -> any CodableDocument {
        do {
            return try JSONDecoder().decode(Self.self, from: json)
        } catch {
            throw .corpus("JSONDecoder does not find what the corpus should be: \(error)")
        }
    }

    func encoded() throws(BenchmarkFault) -> Data {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes]
            return try encoder.encode(self)
        } catch {
            throw .wrongResult("JSONEncoder failed: \(error)")
        }
    }
}
