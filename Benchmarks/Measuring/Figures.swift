import Foundation

/// The figures as the JSON file has them; only the parts that were run.
struct Figures: Encodable {
    struct Decode: Encodable {
        var porticoMBPerS: Double
        var foundationMBPerS: Double

        enum CodingKeys: String, CodingKey {
            case porticoMBPerS = "portico_mb_per_s"
            case foundationMBPerS = "foundation_mb_per_s"
        }
    }

    struct Group: Encodable {
        var countMRowsPerS: Double
        var membersMRowsPerS: Double
        var dictionaryMRowsPerS: Double

        enum CodingKeys: String, CodingKey {
            case countMRowsPerS = "count_mrows_per_s"
            case membersMRowsPerS = "members_mrows_per_s"
            case dictionaryMRowsPerS = "dictionary_mrows_per_s"
        }
    }

    var decode: Decode?
    var group: Group?

    func write(to path: String) throws(BenchmarkFault) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try encoder.encode(self).write(to: URL(fileURLWithPath: path))
        } catch {
            throw .file(path, reason: "cannot be written (\(error.localizedDescription))")
        }
    }
}
