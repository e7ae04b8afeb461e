package import PorticoSchema
package import PorticoWire

/// What a page says about the list it is a part of.
package struct PageFacts: Equatable, Sendable {
    /// On this page, those that did not fit the schema included.
    package var items: Int
    /// Nil: the list has no such field.
    package var hasNext: Bool?
    /// Items of all pages together.
    package var total: Int?
    package var totalPages: Int?

    package init(items: Int, hasNext: Bool? = nil, total: Int? = nil, totalPages: Int? = nil) {
        self.items = items
        self.hasNext = hasNext
        self.total = total
        self.totalPages = totalPages
    }

    /// The last page, as far as `page`, which said this, can tell: by the number of pages; else by the end of the links;
    /// else by the number of items, when this page is surely a full one.
    package func lastPage(seenFrom page: Int) -> Int? {
        if let totalPages { return max(1, totalPages) }
        if hasNext == false { return page }
        guard let total, items > 0, hasNext == true || page == 1 else { return items == 0 ? page : nil }
        return max(page, 1 + (total - 1) / items)
    }
}

/// Reads ``PageFacts`` from encoded pages of one method.
package struct PageReader: Sendable {
    private let items: Int
    private let next: Int?
    private let total: FieldDescriptor?
    private let totalPages: FieldDescriptor?

    /// - Parameter message: the page; the binding's field names are known to be in it.
    package init(_ binding: PagingBinding, in message: MessageDescriptor) {
        items = message.field(named: binding.items)?.number ?? 0
        next = binding.next.flatMap { message.field(named: $0)?.number }
        total = binding.total.flatMap { message.field(named: $0) }
        totalPages = binding.totalPages.flatMap { message.field(named: $0) }
    }

    /// - Parameter page: as the transcoder wrote it.
    package func facts(of page: Span<UInt8>, skippedItems: Int) throws(ProtobufError) -> PageFacts {
        var facts = PageFacts(items: skippedItems, hasNext: next == nil ? nil : false)
        // The transcoder leaves out what is 0, which is known all the same.
        if total != nil { facts.total = 0 }
        var cursor = ProtobufCursor(0..<page.count)
        while let tag = try cursor.nextTag(in: page) {
            switch tag.field {
            case items:
                facts.items += 1
                try cursor.skip(tag.wireType, in: page)
            case next: facts.hasNext = !(try cursor.range(tag, in: page)).isEmpty
            case total?.number: facts.total = try Self.integer(&cursor, tag, total, page)
            case totalPages?.number: facts.totalPages = try Self.integer(&cursor, tag, totalPages, page)
            default: try cursor.skip(tag.wireType, in: page)
            }
        }
        if facts.total == 0, facts.items > 0 { facts.total = nil }
        return facts
    }

    private static func integer(
        _ cursor: inout ProtobufCursor, _ tag: ProtobufTag, _ field: FieldDescriptor?, _ page: Span<UInt8>
    ) throws(ProtobufError) -> Int {
        let raw: UInt64
        switch tag.wireType {
        case .varint: raw = try cursor.varint(in: page)
        case .fixed32: raw = UInt64(try cursor.fixed32(in: page))
        case .fixed64: raw = try cursor.fixed64(in: page)
        case .lengthDelimited: throw .unexpectedWireType(field: tag.field, offset: cursor.offset)
        }
        let isZigZag = field?.type == .sint32 || field?.type == .sint64
        return Int(truncatingIfNeeded: isZigZag ? ZigZag.decode(raw) : Int64(bitPattern: raw))
    }
}
