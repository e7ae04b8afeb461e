import PorticoWire
import TestSupport
import Testing

@testable import PorticoTranscode

/// The lane's inner loop looks texts up in marks that are made for a stretch of JSON at a time.
@Suite struct LaneRunTests {
    @Test func everyMarkStandsAtItsByte() {
        var random = SeededGenerator(seed: 64)
        var marks = TextMarks()
        for count in [64, 65, 80, 127, 200, 8_192, 8_200, 20_000] {
            let json = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let start = Int.random(in: 0...count - 64, using: &random)
            marks.cover(from: start, in: json.span)
            #expect(marks.covered.contains(start))
            // Behind the last whole block all are marked.
            let last = marks.covered.upperBound == count ? count & ~15 : marks.covered.upperBound
            let wrong = (marks.covered.lowerBound..<last).first { place in
                let byte = json[place]
                let isMark = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                let bits = unsafe marks.base.load(fromByteOffset: place / 8, as: UInt8.self)
                return (bits >> UInt8(place % 8) & 1 == 1) != isMark
            }
            #expect(wrong == nil, "of \(count) bytes from \(start) on")
        }
    }

    /// Of texts of every length around those of a block, a copy and a word of marks, some with an escape, a control
    /// character or a byte that is no UTF-8 at some place.
    @Test(arguments: 0..<4) func textsOfAnyLengthArrive(kind: Int) throws {
        for length in Array(0...140) + [255, 256, 8_150, 8_192, 20_000] {
            for place in Set([0, length / 2, length - 1]) where (0..<length).contains(place) || kind == 0 {
                var text = Array(repeating: UInt8(ascii: "a"), count: length)
                var expected = text
                switch kind {
                case 0: break
                case 1:
                    text.replaceSubrange(place...place, with: Array("\\n".utf8))
                    expected[place] = 0x0a
                case 2: text[place] = 0x1f
                default: text[place] = 0x80
                }
                let json = document(text)
                guard kind < 2 else {
                    #expect(fault(json, as: TestSchema.person) != nil, "\(length), \(place)")
                    continue
                }
                #expect(try decode(json, as: TestSchema.person).bytes == record(expected), "\(length)")
            }
        }
    }

    /// Long enough for the marks to be made anew again and again, at other places of a record each time.
    @Test func recordsDoNotDependOnWhereTheMarksBegin() throws {
        for length in 0..<80 {
            let text = Array(repeating: UInt8(ascii: "b"), count: length)
            let friends = (0..<200).map { _ in
                Array(#"{"name":"b","films":["I","#.utf8) + quoted(text) + Array("]}".utf8)
            }
            let json =
                Array(#"{"name":"x","friends":["#.utf8) + Array(friends.joined(separator: [0x2c]))
                + Array("]}".utf8)
            var friend = ProtobufWriter()
            friend.stringField(1, "b")
            friend.stringField(4, "I")
            friend.stringField(4, String(decoding: text, as: UTF8.self))
            let decoded = try decode(json, as: TestSchema.person).bytes
            let suffix = decoded.suffix(friend.bytes.count)
            #expect(Array(suffix) == friend.bytes, "\(length)")
            let each = decoded.count / 200
            #expect(each >= friend.bytes.count + 2 && each <= friend.bytes.count + 3, "\(length)")
        }
    }

    private func document(_ text: [UInt8]) -> [UInt8] {
        Array(#"{"name":"x","films":["#.utf8) + quoted(text) + [UInt8(ascii: ",")] + quoted(text)
            + Array(#"],"height":66}"#.utf8) + Array(repeating: 0x20, count: 80)
    }

    private func quoted(_ text: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] }

    private func record(_ text: [UInt8]) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.stringField(1, "x")
        writer.stringField(4, String(decoding: text, as: UTF8.self))
        writer.stringField(4, String(decoding: text, as: UTF8.self))
        writer.tag(2, .varint)
        writer.bytes.append(66)
        return writer.bytes
    }
}
