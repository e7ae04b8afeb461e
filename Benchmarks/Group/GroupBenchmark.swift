import PorticoTranscode

/// Grouping people by eye colour, against `Dictionary(grouping:)`.
///
/// In the clock of *counts* and *member lists*: from the column (the place of each record's colour among the
/// encoded bytes) to the number of records per colour, or to each colour's list of records. Making the column
/// is a row of its own, because a view does it once, however many columns it needs. In the clock of the
/// dictionary: the whole call, from an array of structs to a dictionary of arrays of them.
enum GroupBenchmark {
    static func run(rows count: Int, keys: Int) throws(BenchmarkFault) -> Figures.Group {
        print("\ngroup: \(count) people, \(keys) eye colours")
        let rows = GroupRows(count: count, keys: keys)
        let records = rows.records
        let column = try eyeColors(of: records)
        let numbers = Array(0..<UInt32(count))
        try check(rows, column, numbers)

        let dictionary = try Measurement { () throws(BenchmarkFault) in
            Dictionary(grouping: rows.structs) { $0.eyeColor }
        }
        let extraction = try Measurement { () throws(BenchmarkFault) in try eyeColors(of: records) }
        let counts = try Measurement { () throws(BenchmarkFault) in
            Grouping.sizes(of: CodedKeys(.text(column), bytes: records.bytes.span, rows: numbers))
        }
        let members = try Measurement { () throws(BenchmarkFault) in
            Grouping(CodedKeys(.text(column), bytes: records.bytes.span, rows: numbers), rows: numbers)
        }
        let millions = Double(count) / 1e6
        let figures = Figures.Group(
            countMRowsPerS: millions / counts.median.inSeconds,
            membersMRowsPerS: millions / members.median.inSeconds,
            dictionaryMRowsPerS: millions / dictionary.median.inSeconds)
        let plain = figures.dictionaryMRowsPerS
        let columnRate = millions / extraction.median.inSeconds
        var table = Table.comparison(rate: "M rows/s")
        table.add("Dictionary(grouping:)", dictionary, rate: plain, ratio: nil)
        table.add("counts", counts, rate: figures.countMRowsPerS, ratio: figures.countMRowsPerS / plain)
        table.add(
            "member lists", members, rate: figures.membersMRowsPerS, ratio: figures.membersMRowsPerS / plain)
        table.add("records → column", extraction, rate: columnRate, ratio: columnRate / plain)
        print(table.text)
        return figures
    }

    private static func eyeColors(of records: Records) throws(BenchmarkFault) -> TextColumn {
        do {
            return try StarWarsSchema.texts("eye_color", of: records)
        } catch {
            throw .wrongResult("The generated records cannot be read: \(error)")
        }
    }

    /// Every colour has the same people in the same order on both sides.
    private static func check(
        _ rows: GroupRows, _ column: TextColumn, _ numbers: [UInt32]
    ) throws(BenchmarkFault) {
        let bytes = rows.records.bytes
        let grouping = Grouping(CodedKeys(.text(column), bytes: bytes.span, rows: numbers), rows: numbers)
        let expected = Dictionary(grouping: numbers) { rows.structs[Int($0)].eyeColor }
        guard grouping.count == expected.count else {
            throw .wrongResult("Portico finds \(grouping.count) eye colours, Dictionary \(expected.count).")
        }
        for group in 0..<grouping.count {
            let range = column.ranges[Int(grouping.keys.firstRows[group])].range
            let color = String(decoding: bytes[range], as: UTF8.self)
            guard expected[color].map({ $0[...] == grouping.rows(of: group) }) == true else {
                throw .wrongResult("Portico and Dictionary disagree on the people with \(color) eyes.")
            }
        }
    }
}
