/// The fields of one request message that a view reads.
struct RequestValues {
    private let columns: [Column]
    private let shapes: [ColumnShape]
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - plan: columns of the request message.
    ///   - request: the encoded message.
    init(_ plan: ColumnPlan, request: [UInt8]) throws(TranscodeError) {
        let records = Records(bytes: request, ranges: [ByteRange(0..<request.count)])
        do {
            columns = try plan.extract(from: records)
        } catch {
            throw TranscodeError(error)
        }
        shapes = plan.shapes
        bytes = request
    }

    /// The field's value; nil when unset, which for a field without presence is the same as zero or empty.
    func operand(_ column: Int) -> RowTest.Operand? {
        let hasPresence = shapes[column].hasPresence
        switch columns[column] {
        case .text(let column):
            let text = column[0]
            guard hasPresence ? !text.isMissing : text.count > 0 else { return nil }
            return .text(Array(bytes[text.range]))
        case .number(let column):
            let rank = column.ranks[0]
            guard hasPresence ? column.hasValue(at: 0) : rank != column.kind.zeroRank else { return nil }
            switch column.kind {
            case .signed: return .number(.signed(NumberKind.signed(rank)))
            case .unsigned: return .number(.unsigned(rank))
            case .real: return .number(.real(NumberKind.real(rank)))
            }
        }
    }

    /// The field's value if it is a whole number of at least 1; anything else counts as unset.
    func positive(_ column: Int) -> Int? {
        switch operand(column) {
        case .number(.signed(let value)) where value >= 1: Int(clamping: value)
        case .number(.unsigned(let value)) where value >= 1: Int(clamping: value)
        case .number, .text, .nothing, nil: nil
        }
    }
}
