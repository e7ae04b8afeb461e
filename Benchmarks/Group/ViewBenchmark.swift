import PorticoSchema
import PorticoTranscode

/// A whole `GroupByEyeColor` answer from nine pages of ten people, as the cache holds them, and what comes before it.
///
/// In the clock of *JSON → pages*: from the upstream's nine bodies to the encoded pages; of *pages → column*: from
/// those to the column of eye colours, a part of the next; of *pages → answer*: from the encoded pages and the encoded
/// request to the encoded answer.
enum ViewBenchmark {
    static func run() throws(BenchmarkFault) {
        let bodies = bodies()
        let decoder = RecordDecoder(
            schema: StarWarsSchema.schema, message: StarWarsSchema.page,
            tapping: TappedFields(schema: StarWarsSchema.schema, source: StarWarsSchema.listPeople))
        let pages = try pages(bodies, decoder)
        let plan: ViewPlan
        do {
            plan = try ViewPlan(schema: StarWarsSchema.schema, method: StarWarsSchema.groupByEyeColor)
        } catch {
            throw .wrongResult("The view does not compile: \(error)")
        }
        let records = try records(pages)
        let decoding = try Measurement { () throws(BenchmarkFault) in try Self.pages(bodies, decoder) }
        let column = try Measurement { () throws(BenchmarkFault) in
            try GroupColumns.column("eye_color", of: records)
        }
        let view = try Measurement { () throws(BenchmarkFault) in try answer(plan, pages) }
        let size = pages.reduce(0) { $0 + $1.bytes.count }
        print("\nview: GroupByEyeColor of 82 people on \(pages.count) pages, \(size) bytes of records")
        var table = Table(["", "median", "min", "max", "p99", "runs", "allocations"])
        add("JSON → pages", decoding, to: &table)
        add("pages → column", column, to: &table)
        add("pages → answer", view, to: &table)
        print(table.text)
    }

    private static func add(_ name: String, _ measurement: Measurement, to table: inout Table) {
        table.add([
            name, measurement.median.short, measurement.least.short, measurement.most.short,
            measurement.p99?.short ?? "–", String(measurement.times.count), String(measurement.allocations),
        ])
    }

    private static func bodies() -> [[UInt8]] {
        var writer = PeopleWriter(seed: 82)
        return ([Int](repeating: 10, count: 8) + [2]).map { writer.page(people: $0) }
    }

    private static func pages(
        _ bodies: [[UInt8]], _ decoder: RecordDecoder
    ) throws(BenchmarkFault) -> [RecordPage] {
        do {
            return try bodies.map { try decoder.decode($0.span).page }
        } catch {
            throw .wrongResult("The generated pages cannot be decoded: \(error)")
        }
    }

    private static func records(_ pages: [RecordPage]) throws(BenchmarkFault) -> Records {
        let items = StarWarsSchema.schema[StarWarsSchema.page].fields.first { $0.name == "people" }
        do {
            return try Records(pages: pages, items: items?.number ?? 0)
        } catch {
            throw .wrongResult("The pages hold no records: \(error)")
        }
    }

    private static func answer(_ plan: ViewPlan, _ pages: [RecordPage]) throws(BenchmarkFault) -> [UInt8] {
        do {
            return try plan.run(pages: pages, request: [])
        } catch {
            throw .wrongResult("The view failed: \(error)")
        }
    }
}
