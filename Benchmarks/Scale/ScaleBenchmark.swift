import PorticoTranscode

/// How cost grows with the input: the same work on ten times as much should take ten times as long.
enum ScaleBenchmark {
    static func run() throws(BenchmarkFault) {
        try decode()
        try group()
    }

    /// 1 KB to 100 MB of JSON; beside it, what filling an array as long as the records takes: from some size on the kernel
    /// gives each one fresh pages and clears them.
    private static func decode() throws(BenchmarkFault) {
        let schema = try CorpusSchema(.starwars)
        let decoder = RecordDecoder(schema: schema.schema, message: schema.page)
        var table = Table(["", "median", "ns/byte", "allocations", "filling as much, ns/byte"])
        for exponent in 3...8 {
            let json = CorpusKind.starwars.document(ofBytes: power(exponent))
            let records = { () throws(BenchmarkFault) in
                do {
                    return try decoder.decode(json.span).bytes
                } catch {
                    throw .wrongResult("The generated people cannot be decoded: \(error)")
                }
            }
            let length = try records().count
            let decoding = try Measurement(lasting: .milliseconds(300)) { () throws(BenchmarkFault) in
                try records()
            }
            let filling = try Measurement(lasting: .milliseconds(300)) { () in
                [UInt8](repeating: 1, count: length)
            }
            let perByte = { (median: Duration) in (median.inSeconds * 1e9 / Double(json.count)).digits(3) }
            table.add([
                size(power(exponent)), decoding.median.short, perByte(decoding.median),
                String(decoding.allocations), perByte(filling.median),
            ])
        }
        print("\nscale: decoding people")
        print(table.text)
    }

    /// 10 to 10 million rows.
    private static func group() throws(BenchmarkFault) {
        var table = Table(["", "member lists", "ns/row", "sort by name", "ns/row"])
        for exponent in 1...7 {
            let rows = try GroupColumns(GroupRows(count: power(exponent), keys: 15).records)
            let members = try Measurement(lasting: .milliseconds(300)) { () in rows.members() }
            let sorted = try Measurement(lasting: .milliseconds(300)) { () in rows.sortedByName() }
            let count = Double(power(exponent))
            table.add([
                "\(power(exponent)) rows", members.median.short,
                (members.median.inSeconds * 1e9 / count).digits(1), sorted.median.short,
                (sorted.median.inSeconds * 1e9 / count).digits(1),
            ])
        }
        print("\nscale: grouping by eye colour, sorting by name")
        print(table.text)
    }

    private static func power(_ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * 10 }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1000) KB"
    }
}
