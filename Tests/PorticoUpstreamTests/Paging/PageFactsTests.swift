import PorticoSchema
import PorticoUpstream
import PorticoWire
import Testing

@Suite struct PageFactsTests {
    private let reader = PageReader(
        PagingBinding(items: "items", next: "next", page: "page", total: "count", totalPages: "pages"),
        in: TestSchema.schema[TestSchema.pageID])

    private func page(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter()
        write(&writer)
        return writer.bytes
    }

    @Test func aPageSaysHowItGoesOn() throws {
        let bytes = page {
            $0.varintField(1, 82)
            $0.stringField(2, "http://x/")
            $0.varintField(3, 9)
            for _ in 0..<3 { $0.bytesField(4, [UInt8]()) }
            $0.stringField(99, "unknown")
        }
        let facts = try reader.facts(of: bytes.span, skippedItems: 7)
        #expect(facts == PageFacts(items: 10, hasNext: true, total: 82, totalPages: 9))
    }

    @Test func anEmptyPageHasNoNext() throws {
        #expect(
            try reader.facts(of: [UInt8]().span, skippedItems: 0)
                == PageFacts(items: 0, hasNext: false, total: 0))
    }

    @Test func anEmptyLinkIsNone() throws {
        let bytes = page { $0.stringField(2, "") }
        #expect(try reader.facts(of: bytes.span, skippedItems: 0).hasNext == false)
    }

    @Test func brokenBytesAreRefused() {
        #expect(throws: ProtobufError.self) { try reader.facts(of: [0x22, 9].span, skippedItems: 0) }
    }

    @Test(
        arguments: [
            (PageFacts(items: 10, hasNext: true, total: 82), 1, 9),
            (PageFacts(items: 10, hasNext: true, total: 82), 5, 9),
            (PageFacts(items: 2, hasNext: false, total: 82), 9, 9),
            (PageFacts(items: 20, totalPages: 3), 2, 3),
            (PageFacts(items: 0), 1, 1), (PageFacts(items: 0, totalPages: 0), 1, 1),
            (PageFacts(items: 10, total: 25), 1, 3),
            (PageFacts(items: 5, total: 25), 3, nil), (PageFacts(items: 5, hasNext: true), 1, nil),
            (PageFacts(items: 1, hasNext: true, total: 1), 4, 4),
        ] as [(PageFacts, Int, Int?)])
    func theLastPageIsKnownWhenAPageCanTell(facts: PageFacts, page: Int, last: Int?) {
        #expect(facts.lastPage(seenFrom: page) == last)
    }
}

@Suite struct PageFieldTests {
    private func field(_ type: FieldType) throws -> PageField {
        let place = SourceLocation(file: "t", line: 1, column: 1)
        let message = MessageDescriptor(
            fullName: "t.M",
            fields: [
                FieldDescriptor(
                    name: "page", jsonName: "page", number: 3, type: type, cardinality: .implicit,
                    location: place)
            ],
            location: place)
        return try #require(PageField("page", in: message))
    }

    @Test(arguments: [FieldType.int32, .int64, .uint32, .sint32, .sint64, .fixed32, .fixed64, .sfixed32])
    func aPageIsSetAndReadInEveryIntegerType(type: FieldType) throws {
        let field = try field(type)
        // Fields 1 and 5 around it.
        let request: [UInt8] = [0x08, 1, 0x28, 2]
        #expect(try field.page(of: request) == 1)
        let seventh = try field.setting(7, in: request)
        #expect(try field.page(of: seventh) == 7)
        #expect(seventh.starts(with: [0x08, 1]) && Array(seventh.suffix(2)) == [0x28, 2])
        #expect(try field.setting(9, in: seventh) == field.setting(9, in: request))
        #expect(try field.setting(nil, in: seventh) == request)
    }

    @Test func aPageIsSetAtTheEndsToo() throws {
        let field = try field(.int32)
        #expect(try field.setting(2, in: []) == [0x18, 2])
        #expect(try field.setting(2, in: [0x08, 1]) == [0x08, 1, 0x18, 2])
        #expect(try field.setting(2, in: [0x28, 1]) == [0x18, 2, 0x28, 1])
    }
}
