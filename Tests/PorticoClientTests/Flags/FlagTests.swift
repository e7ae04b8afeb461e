import PorticoWire
import Testing

@testable import PorticoClient

@Suite struct FlagTests {
    private static func flag(_ reason: String, _ value: (inout ProtobufWriter) -> Void) throws -> Flag {
        var writer = ProtobufWriter()
        writer.messageField(1) { writer in
            writer.stringField(1, "f")
            value(&writer)
            writer.stringField(6, "v")
            writer.stringField(7, reason)
        }
        return try #require(try Flag.read(flags: writer.bytes).first)
    }

    @Test func aSwitchIsOnOffOrUnknown() throws {
        #expect(try Self.flag("STATIC") { $0.boolField(2, true) }.state == .on)
        #expect(try Self.flag("DEFAULT") { $0.boolField(2, false) }.state == .off)
        #expect(try Self.flag("ERROR") { $0.boolField(2, true) }.state == .unknown)
        #expect(try Self.flag("ERROR") { _ in }.state == .unknown)
        #expect(try Self.flag("STATIC") { $0.stringField(3, "true") }.state == .unknown)
        #expect(Flags()["f"].state == .unknown)
    }

    @Test(arguments: [true, false]) func anUnknownSwitchIsWhatTheAppSays(otherwise: Bool) throws {
        #expect(Flags()["f"].isOn(otherwise: otherwise) == otherwise)
        #expect(
            try Self.flag("ERROR") { $0.boolField(2, !otherwise) }.isOn(otherwise: otherwise) == otherwise)
        #expect(
            try Self.flag("STATIC") { $0.boolField(2, !otherwise) }.isOn(otherwise: otherwise) != otherwise)
    }

    @Test func aFailedFlagKeepsItsReasonAndNoValue() throws {
        let flag = try Self.flag("ERROR") { $0.doubleField(4, 5) }
        #expect(flag.value == nil && flag.variant.isEmpty && flag.reason == "ERROR")
        #expect(Flags()["f"].reason == Flag.notEvaluated)
    }

    @Test func aValueOfAnotherTypeIsTheAppsOwn() throws {
        let number = try Self.flag("STATIC") { $0.doubleField(4, 185) }
        #expect(number.number(otherwise: 1) == 185)
        #expect(number.string(otherwise: "x") == "x")
        #expect(try Self.flag("STATIC") { $0.stringField(3, "t") }.number(otherwise: 7) == 7)
        #expect(try Self.flag("STATIC") { $0.stringField(3, "t") }.string(otherwise: "x") == "t")
        #expect(try Self.flag("STATIC") { $0.stringField(5, "{}") }.value == .json("{}"))
    }

    @Test func messagesThatAreCutShortAreRefused() throws {
        var writer = ProtobufWriter()
        writer.messageField(1) { $0.stringField(1, "flag") }
        for count in 1..<writer.bytes.count {
            #expect(throws: ProtobufError.self) {
                _ = try Flag.read(flags: Array(writer.bytes.prefix(count)))
            }
        }
    }
}
