import Foundation

/// The figures as the JSON file has them; only the parts that were run.
struct Figures: Encodable {
    /// Throughput, in the unit of the subject: MB/s or million rows/s.
    struct Rate: Encodable {
        /// At the median run.
        let median: Double
        /// At the fastest run, which other programs on the machine disturbed least.
        let fastest: Double

        /// - Parameter amount: what one run does, in MB or million rows.
        init(_ measurement: Measurement, amount: Double) {
            median = amount / measurement.median.inSeconds
            fastest = amount / measurement.least.inSeconds
        }
    }

    struct Comparison: Encodable {
        let portico: Rate
        let foundation: Rate

        /// Of the medians.
        var ratio: Double { portico.median / foundation.median }
    }

    /// By corpus.
    var decode: [String: Comparison] = [:]
    var encode: [String: Comparison] = [:]
    /// By operation.
    var group: [String: Rate] = [:]
    var serve: Serve?

    func write(to path: String) throws(BenchmarkFault) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try encoder.encode(self).write(to: URL(fileURLWithPath: path))
        } catch {
            throw .file(path, reason: "cannot be written (\(error.localizedDescription))")
        }
    }
}
