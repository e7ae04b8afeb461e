import Foundation

/// The figures as the JSON file has them; only the parts that were run.
///
/// `{"decode":{"portico_mb_per_s":1697.0,"foundation_mb_per_s":60.7,"corpora":{…}},"group":{"count_mrows_per_s":197.6,…}}`:
/// the medians of the Star Wars corpus, or of the user's own, and of each grouping come first, everything else inside.
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
    /// Requests per second for an answer composed of cached ones, to those for a plain cached one.
    var compose: [String: Double] = [:]
    var observe: Observe?

    private enum Part: String, CodingKey { case decode, encode, group, serve, compose, observe }

    private enum Key: String, CodingKey {
        case portico = "portico_mb_per_s"
        case foundation = "foundation_mb_per_s"
        case corpora
        case counts = "count_mrows_per_s"
        case members = "members_mrows_per_s"
        case dictionary = "dictionary_mrows_per_s"
        case operations
    }

    func encode(to encoder: any Encoder) throws {
        var parts = encoder.container(keyedBy: Part.self)
        try Self.encode(decode, as: .decode, to: &parts)
        try Self.encode(encode, as: .encode, to: &parts)
        if !group.isEmpty {
            var part = parts.nestedContainer(keyedBy: Key.self, forKey: .group)
            try part.encodeIfPresent(group["counts"]?.median, forKey: .counts)
            try part.encodeIfPresent(group["members"]?.median, forKey: .members)
            try part.encodeIfPresent(group["dictionary"]?.median, forKey: .dictionary)
            try part.encode(group, forKey: .operations)
        }
        try parts.encodeIfPresent(serve, forKey: .serve)
        if !compose.isEmpty { try parts.encode(compose, forKey: .compose) }
        try parts.encodeIfPresent(observe, forKey: .observe)
    }

    private static func encode(
        _ corpora: [String: Comparison], as part: Part, to parts: inout KeyedEncodingContainer<Part>
    ) throws {
        guard let first = corpora["starwars"] ?? corpora.values.first else { return }
        var container = parts.nestedContainer(keyedBy: Key.self, forKey: part)
        try container.encode(first.portico.median, forKey: .portico)
        try container.encode(first.foundation.median, forKey: .foundation)
        try container.encode(corpora, forKey: .corpora)
    }

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
