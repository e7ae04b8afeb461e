import Foundation

extension Double {
    /// With a fixed number of digits behind the point.
    func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}

/// Rows under headings, the first column to the left, the others to the right.
struct Table {
    private var rows: [[String]]

    init(_ headings: [String]) { rows = [headings] }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Table {
    /// The table of a comparison.
    /// - Parameter rate: heading of the throughput column.
    static func comparison(rate: String) -> Table {
        Table([
            "", rate, "median", "min", "max", "p99", "runs", "allocations", "ratio",
        ])
    }

    /// - Parameters:
    ///   - rate: throughput at the median, in the unit of the heading.
    ///   - ratio: throughput over that of the row it is compared with; nil: that row itself.
    mutating func add(_ name: String, _ measurement: Measurement, rate: Double, ratio: Double?) {
        add([
            name, rate.digits(rate < 10 ? 2 : 1), measurement.median.short, measurement.least.short,
            measurement.most.short, measurement.p99?.short ?? "–", String(measurement.times.count),
            String(measurement.allocations), ratio.map { $0.digits(2) + "×" } ?? "1×",
        ])
    }
}
