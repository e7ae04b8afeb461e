import PorticoSchema
import TestSupport
import Testing

/// Hostile files: whatever stands in them, compiling ends with a schema or with faults that have places.
@Suite struct MutationTests {
    /// Pieces that change what a file means when they land in it.
    private static let pieces = [
        "{", "}", "[", "]", "(", ")", "<", ">", ";", "=", "\"", "'", "\\", "/*", "//", "\n", "\0", "é",
        "option", "message ",
        "enum ", "oneof o {", "map<", "stream ", "extend ", "import public ", "reserved ", "to max", "-",
        "0x", "1e999",
        "18446744073709551616", "536870911", "-1", ".", "..", "inf", "google.protobuf.FieldOptions",
        "portico.v1.",
        "{page}", "\\u", "\\ud800", "\\x", "syntax = \"proto2\";", "package p;", "repeated ", "optional ",
        "group ",
    ]

    private static func mutated(_ text: String, with dice: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &dice)
            let end = min(bytes.count, at + Int.random(in: 0...40, using: &dice))
            switch Int.random(in: 0..<5, using: &dice) {
            case 0: bytes.removeSubrange(at..<end)
            case 1: bytes.insert(contentsOf: pieces.randomElement(using: &dice)!.utf8, at: at)
            case 2:
                bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &dice))
            case 3: bytes[at] = UInt8.random(in: 0...127, using: &dice)
            default: bytes.removeSubrange(at...)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 0..<8) func aMutatedFileIsCompiledOrRefused(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed &* 977 &+ 1)
        let files = try SchemaFiles.all()
        for _ in 0..<25 {
            var mutated = files
            let at = Int.random(in: 0..<files.count, using: &dice)
            mutated[at] = SchemaFile(path: files[at].path, text: Self.mutated(files[at].text, with: &dice))
            do throws(SchemaFaults) {
                let schema = try SchemaCompiler.compile(files: mutated)
                _ = try SchemaCompiler.decode(fileDescriptorSet: schema.fileDescriptorSet.span)
            } catch {
                #expect(!error.faults.isEmpty)
                for fault in error.faults {
                    #expect(fault.location.line >= 1 && fault.location.column >= 1, "\(fault)")
                }
            }
        }
    }

    @Test(arguments: 0..<8) func aMutatedDescriptorSetIsReadOrRefused(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed &* 1009 &+ 3)
        let original = try SchemaCompiler.compile(files: SchemaFiles.all()).fileDescriptorSet
        for _ in 0..<25 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            _ = try? SchemaCompiler.decode(fileDescriptorSet: bytes.span)
        }
        for length in stride(from: 0, to: original.count, by: original.count / 20) {
            _ = try? SchemaCompiler.decode(fileDescriptorSet: Array(original[..<length]).span)
        }
    }

    @Test(arguments: [
        String(repeating: "{", count: 50_000), String(repeating: "message A{", count: 20_000),
        "option a" + String(repeating: ".a", count: 50_000) + " = 1;",
        "option (a) = " + String(repeating: "{a:", count: 50_000),
        "option (a) = {a:" + String(repeating: "[", count: 50_000),
        String(repeating: "/*", count: 50_000), String(repeating: "}", count: 50_000),
        "message A { " + String(repeating: "reserved 1;", count: 20_000) + "}",
    ]) func floodsAreRefusedQuickly(text: String) throws {
        let faults = try SchemaFiles.faults(in: Snippet.head + text)
        #expect(!faults.isEmpty && faults.count <= SchemaLimits.faults)
    }
}
