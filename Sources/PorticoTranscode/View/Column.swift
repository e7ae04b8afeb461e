/// One field of many records, a value for each record; how it was filled (from encoded records, or while JSON
/// is decoded) is not its business.
///
/// A value is *missing* where a field with presence, or a message on the way to it, is not set. A field
/// without presence is never missing: absent is its zero value.
package enum Column: Sendable {
    /// `string` and `bytes`.
    case text(TextColumn)
    /// Every other scalar, and enums.
    case number(NumberColumn)

    package var count: Int {
        switch self {
        case .text(let column): column.texts.count
        case .number(let column): column.ranks.count
        }
    }

    func hasValue(at row: Int) -> Bool {
        switch self {
        case .text(let column): !column[row].isMissing
        case .number(let column): column.hasValue(at: row)
        }
    }
}

/// Texts as places in the buffer of the ``Records`` they were found in.
package struct TextColumn: Sendable {
    package let texts: [ColumnText]

    package init(_ texts: [ColumnText]) { self.texts = texts }

    /// Where the text of a row is.
    package subscript(row: Int) -> ByteRange { texts[row].place }
}

/// Numbers as their ranks (see ``NumberKind``).
package struct NumberColumn: Sendable {
    package let kind: NumberKind
    package let ranks: [UInt64]
    /// Empty when no value can be missing; else as long as ``ranks``, whose rank is zero's where missing.
    package let isMissing: [Bool]

    package init(kind: NumberKind, ranks: [UInt64], isMissing: [Bool] = []) {
        self.kind = kind
        self.ranks = ranks
        self.isMissing = isMissing
    }

    package func hasValue(at row: Int) -> Bool { isMissing.isEmpty || !isMissing[row] }
}
