import PorticoTranscode

/// A whole `GroupByEyeColor` answer from nine pages of ten people, as the cache holds them.
///
/// In the clock: from the encoded pages and the encoded request to the encoded answer.
enum ViewBenchmark {
    static func run() throws(BenchmarkFault) {
        let pages = try pages()
        let plan: ViewPlan
        do {
            plan = try ViewPlan(schema: StarWarsSchema.schema, method: StarWarsSchema.groupByEyeColor)
        } catch {
            throw .wrongResult("The view does not compile: \(error)")
        }
        let view = try Measurement { () throws(BenchmarkFault) in try answer(plan, pages) }
        let size = pages.reduce(0) { $0 + $1.count }
        print("\nview: GroupByEyeColor of 82 people on \(pages.count) pages, \(size) bytes of records")
        var table = Table(["", "median", "min", "max", "p99", "runs", "allocations"])
        table.add([
            "pages → answer", view.median.short, view.least.short, view.most.short, view.p99?.short ?? "–",
            String(view.times.count), String(view.allocations),
        ])
        print(table.text)
    }

    private static func pages() throws(BenchmarkFault) -> [[UInt8]] {
        var writer = PeopleWriter(seed: 82)
        let decoder = RecordDecoder(schema: StarWarsSchema.schema, message: StarWarsSchema.page)
        var pages: [[UInt8]] = []
        for people in [Int](repeating: 10, count: 8) + [2] {
            do {
                pages.append(try decoder.decode(writer.page(people: people).span).bytes)
            } catch {
                throw .wrongResult("The generated pages cannot be decoded: \(error)")
            }
        }
        return pages
    }

    private static func answer(_ plan: ViewPlan, _ pages: [[UInt8]]) throws(BenchmarkFault) -> [UInt8] {
        do {
            return try plan.run(pages: pages, request: [])
        } catch {
            throw .wrongResult("The view failed: \(error)")
        }
    }
}
