import PorticoTranscode

/// Grouping people by eye colour and sorting them, against `Dictionary(grouping:)` and `sorted`.
///
/// In the clock of *counts* and *member lists*: from the column (the place of each record's colour among the
/// encoded bytes) to the number of records per colour, or to each colour's list of records; of *sort*: from the
/// column to the rows in order. Making the column is a row of its own, because a view does it once, however many
/// columns it needs. In the clock of the dictionary: the whole call, from an array of structs to a dictionary of
/// arrays of them.
struct GroupBenchmark {
    private let count: Int
    private let keys: Int
    private let structs: [PersonRow]
    private let columns: GroupColumns
    private var table = Table.comparison(rate: "M rows/s")

    init(rows count: Int, keys: Int) throws(BenchmarkFault) {
        (self.count, self.keys) = (count, keys)
        let rows = GroupRows(count: count, keys: keys)
        structs = rows.structs
        columns = try GroupColumns(rows.records)
    }

    mutating func run() throws(BenchmarkFault) -> [String: Figures.Rate] {
        print("\ngroup: \(count) people, \(keys) eye colours")
        try checkGroups()
        try checkOrder()
        // Copies, so that the closures do not hold on to the table.
        let (structs, columns) = (structs, columns)
        let dictionary = try measure("Dictionary(grouping:)", against: nil) { () in
            Dictionary(grouping: structs) { $0.eyeColor }
        }
        let figures = [
            "dictionary": dictionary,
            "counts": try measure("counts", against: dictionary) { () in columns.counts() },
            "members": try measure("member lists", against: dictionary) { () in columns.members() },
            "column": try measure("records → column", against: dictionary) { () throws(BenchmarkFault) in
                try GroupColumns.column("eye_color", of: columns.records)
            },
            "sort_name": try measure("sort by name", against: dictionary) { () in columns.sortedByName() },
            "sort_eye_color": try measure("sort by eye colour", against: dictionary) { () in
                columns.sortedByEyeColor()
            },
        ]
        print(table.text)
        return figures
    }

    private mutating func measure<Result>(
        _ name: String, against other: Figures.Rate?, _ operation: () throws(BenchmarkFault) -> Result
    ) throws(BenchmarkFault) -> Figures.Rate {
        let measurement = try Measurement(operation)
        let rate = Figures.Rate(measurement, amount: Double(count) / 1e6)
        table.add(name, measurement, rate: rate.median, ratio: other.map { rate.median / $0.median })
        return rate
    }

    /// Every colour has the same people in the same order on both sides.
    private func checkGroups() throws(BenchmarkFault) {
        let grouping = columns.members()
        let expected = Dictionary(grouping: columns.rows) { structs[Int($0)].eyeColor }
        guard grouping.count == expected.count else {
            throw .wrongResult("Portico finds \(grouping.count) eye colours, Dictionary \(expected.count).")
        }
        for group in 0..<grouping.count {
            let range = columns.eyeColor[Int(grouping.keys.firstRows[group])].range
            let color = String(decoding: columns.records.bytes[range], as: UTF8.self)
            guard expected[color].map({ $0[...] == grouping.rows(of: group) }) == true else {
                throw .wrongResult("Portico and Dictionary disagree on the people with \(color) eyes.")
            }
        }
    }

    /// Names do not decrease, equal ones keep their order, and every row is there once.
    private func checkOrder() throws(BenchmarkFault) {
        let order = columns.sortedByName()
        for (left, right) in zip(order, order.dropFirst()) {
            let (one, other) = (structs[Int(left)].name, structs[Int(right)].name)
            let isInOrder =
                one == other ? left < right : one.utf8.lexicographicallyPrecedes(other.utf8)
            guard isInOrder else { throw .wrongResult("\(other) is sorted behind \(one).") }
        }
        guard Set(order).count == count else { throw .wrongResult("Sorting lost a row.") }
    }
}
