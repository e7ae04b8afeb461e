/// Counts the different values that a column has among some rows; missing ones do not count.
struct DistinctValues {
    private static let noCode = UInt32.max
    /// By row: the code of its value.
    private var codes: [UInt32]
    /// By code: the last count that met it.
    private var met: [UInt32]
    private var counts: UInt32 = 0

    /// Of all ``init(_:bytes:rows:)`` was given.
    let total: Int

    /// - Parameters:
    ///   - bytes: the buffer of a text column.
    ///   - rows: all that will be counted among.
    init(_ column: Column, bytes: Span<UInt8>, rows: [UInt32]) {
        let present = rows.filter { column.hasValue(at: Int($0)) }
        let keys = CodedKeys(column, bytes: bytes, rows: present)
        codes = [UInt32](repeating: Self.noCode, count: column.count)
        for (row, code) in zip(present, keys.codes) { codes[Int(row)] = code }
        met = [UInt32](repeating: 0, count: keys.counts.count)
        total = keys.counts.count
    }

    /// Among some of the rows.
    mutating func count(among rows: ArraySlice<UInt32>) -> Int {
        counts += 1
        var count = 0
        for row in rows {
            let code = codes[Int(row)]
            guard code != Self.noCode, met[Int(code)] != counts else { continue }
            met[Int(code)] = counts
            count += 1
        }
        return count
    }
}
