import PorticoTranscode

/// Encoded people and the columns that views on them need; what is measured, as calls.
struct GroupColumns {
    let records: Records
    let eyeColor: TextColumn
    let name: TextColumn
    /// All rows.
    let rows: [UInt32]

    init(_ records: Records) throws(BenchmarkFault) {
        self.records = records
        rows = Array(0..<UInt32(records.count))
        eyeColor = try Self.column("eye_color", of: records)
        name = try Self.column("name", of: records)
    }

    static func column(_ field: String, of records: Records) throws(BenchmarkFault) -> TextColumn {
        do {
            return try StarWarsSchema.texts(field, of: records)
        } catch {
            throw .wrongResult("The generated records cannot be read: \(error)")
        }
    }

    /// Records per colour.
    func counts() -> [UInt32] {
        KeyCounts(.text(eyeColor), bytes: records.bytes.span, rows: rows).sizes
    }

    /// Each colour's list of rows.
    func members() -> Grouping {
        Grouping(CodedKeys(.text(eyeColor), bytes: records.bytes.span, rows: rows), rows: rows)
    }

    func sortedByName() -> [UInt32] { sorted(by: name) }
    func sortedByEyeColor() -> [UInt32] { sorted(by: eyeColor) }

    private func sorted(by column: TextColumn) -> [UInt32] {
        let bytes = records.bytes.span
        let key = RowOrder.Key(.text(column), rows: rows, bytes: bytes, isDescending: false)
        return RowOrder([key]).sorted(rows, bytes: bytes)
    }
}
