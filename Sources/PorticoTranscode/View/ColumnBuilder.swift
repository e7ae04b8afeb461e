package import PorticoSchema

/// Fills one column, record by record: ``beginRecord()``, then any number of values, the last of which
/// counts.
///
/// It does not know where records come from, so that a pass over JSON can fill it as well as one over
/// records.
package struct ColumnBuilder: Sendable {
    // Copied out of the shape, whose field descriptor would be copied for every value otherwise.
    private let values: ColumnShape.Values
    private let hasPresence: Bool
    private let canBeMissing: Bool
    private var texts: [ColumnText] = []
    private var ranks: [UInt64] = []
    private var isMissing: [Bool] = []

    package init(_ shape: ColumnShape, reserving count: Int) {
        values = shape.values
        hasPresence = shape.hasPresence
        canBeMissing = shape.canBeMissing
        switch values {
        case .text:
            texts.reserveCapacity(count)
        case .number:
            ranks.reserveCapacity(count)
            if canBeMissing { isMissing.reserveCapacity(count) }
        }
    }

    /// The next record's value is missing, or zero when it cannot be.
    package mutating func beginRecord() {
        switch values {
        case .text:
            texts.append(canBeMissing ? .missing : .empty)
        case .number(let kind):
            ranks.append(kind.zeroRank)
            if canBeMissing { isMissing.append(true) }
        }
    }

    /// The next record's value is a text.
    mutating func append(text place: ByteRange, in bytes: Span<UInt8>) {
        texts.append(ColumnText(place, in: bytes))
    }

    /// - Parameter bytes: where the text is.
    package mutating func set(text place: ByteRange, in bytes: Span<UInt8>) {
        texts[texts.count - 1] = ColumnText(place, in: bytes)
    }

    package mutating func set(rank: UInt64) {
        ranks[ranks.count - 1] = rank
        if canBeMissing { isMissing[isMissing.count - 1] = false }
    }

    /// The message around the field is there: a field without presence has its zero value from now on.
    package mutating func enteredMessage() {
        guard canBeMissing, !hasPresence else { return }
        switch values {
        case .text:
            texts[texts.count - 1] = texts[texts.count - 1].orEmpty
        case .number:
            isMissing[isMissing.count - 1] = false
        }
    }

    /// Another member of the field's oneof was set after it.
    package mutating func clear() {
        switch values {
        case .text:
            texts[texts.count - 1] = .missing
        case .number(let kind):
            ranks[ranks.count - 1] = kind.zeroRank
            isMissing[isMissing.count - 1] = true
        }
    }

    package consuming func finish() -> Column {
        switch values {
        case .text: .text(TextColumn(texts))
        case .number(let kind): .number(NumberColumn(kind: kind, ranks: ranks, isMissing: isMissing))
        }
    }
}

/// What a column holds, from the schema.
package struct ColumnShape: Sendable {
    package enum Values: Sendable {
        case text
        case number(NumberKind)
    }
    /// The field at the end of the path.
    package let field: FieldDescriptor
    package let values: Values
    /// The field itself can be told from its zero value.
    package let hasPresence: Bool
    /// It has presence, or lies in a message that may be unset or belongs to a oneof.
    package let canBeMissing: Bool

    /// Nil: the field is repeated, a map or a message, which have no single value.
    init?(_ field: FieldDescriptor, isNested: Bool) {
        switch field.cardinality {
        case .implicit: hasPresence = field.oneof != nil
        case .optional: hasPresence = true
        case .repeated, .map: return nil
        }
        switch field.type {
        case .string, .bytes: values = .text
        case .bool, .uint32, .uint64, .fixed32, .fixed64: values = .number(.unsigned)
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64, .enumeration: values = .number(.signed)
        case .double, .float: values = .number(.real)
        case .message: return nil
        }
        self.field = field
        canBeMissing = hasPresence || isNested
    }
}
