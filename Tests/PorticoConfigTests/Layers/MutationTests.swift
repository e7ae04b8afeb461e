import Foundation
import PorticoTranscode
import TestSupport
import Testing

@testable import PorticoConfig

struct MutationTests {
    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "/", "//", "/*", "*/", "null", "true", "-1", "0", "1e999",
        "99999999999999999999", "${", "${A}", "${A:-", "$${", "\"x\"", "\\u", "\\ud800", "\u{feff}", "\u{0}",
        "ü", "\n",
        "extends", "KiB", "5s", "{\"if\":", "[[[[[[[[", "\"fractional\": [",
    ]

    /// One to four random edits of the bytes.
    private static func mutated(_ text: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...text.count, using: &generator)
            let end = min(text.count, place + Int.random(in: 0...12, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: text.removeSubrange(place..<end)
            case 1:
                text.insert(
                    contentsOf: fragments.randomElement(using: &generator)?.utf8 ?? "".utf8, at: place)
            case 2: text.insert(contentsOf: text[place..<end], at: place)
            default: if place < text.count { text[place] = UInt8.random(in: 0...255, using: &generator) }
            }
        }
        return text
    }

    @Test(arguments: ["Development", "Test", "Production"])
    func aMutatedFileIsReadOrRefusedButNeverTraps(name: String) throws {
        let workspace = try Workspace([:])
        for file in ["Development", "Test", "Production"] {
            try FileManager.default.copyItem(
                atPath: "\(Repository.environments)/\(file).json",
                toPath: "\(workspace.directory)/\(file).json")
        }
        let path = "\(workspace.directory)/\(name).json"
        let original = try [UInt8](Data(contentsOf: URL(filePath: path)))
        var generator = SeededGenerator(seed: UInt64(name.utf8.count))
        let variables = ["PORTICO_TOKEN": "token-hunter2", "TMDB_API_KEY": "key-hunter2"]
        for _ in 0..<300 {
            try Data(Self.mutated(original, using: &generator)).write(to: URL(filePath: path))
            let faults = workspace.faults(name, variables: variables)
            #expect(!faults.joined().contains("hunter2"))
            for fault in faults { #expect(fault.contains(": "), "\(fault)") }
        }
    }

    /// What loads is what the file says: every value in it has become the value of its key, and came from its place.
    @Test(arguments: ["Development", "Production"])
    func aMutatedFileNeverLoadsSilentlyWrong(name: String) throws {
        let workspace = try Workspace([:])
        let path = "\(workspace.directory)/\(name).json"
        let original = try [UInt8](Data(contentsOf: URL(filePath: "\(Repository.environments)/\(name).json")))
        var generator = SeededGenerator(seed: 11)
        let variables = name == "Production" ? ["PORTICO_TOKEN": "t", "TMDB_API_KEY": "k"] : [:]
        var loadedCount = 0
        for _ in 0..<400 {
            let text = Self.mutated(original, using: &generator)
            try Data(text).write(to: URL(filePath: path))
            guard let loaded = try? workspace.load(name, variables: variables) else { continue }
            loadedCount += 1
            let document = try DocumentReader.read(text, file: path, syntax: .relaxed)
            for (key, value) in Self.keys(in: document, below: []) {
                switch loaded.origin(of: key) {
                case .file(let place)?, .secret(_, let place)?: #expect(place == value.location, "\(key)")
                case .builtIn?, .variable?, .option?, nil: Issue.record("\(key) was dropped")
                }
                if case .string(let text) = value.content, !text.contains("$"), let shown = loaded.shown(key),
                    shown != "«secret»", !key.hasSuffix("methods")
                {
                    #expect(Self.means(shown, text), "\(key): \(text) became \(shown)")
                }
            }
        }
        #expect(loadedCount > 20)
    }

    /// Sizes and durations are shown in their largest unit.
    private static func means(_ shown: String, _ text: String) -> Bool {
        shown == text || ByteSize.parse(shown).map { $0 == ByteSize.parse(text) } == true
            || DurationText.parse(shown).map { $0 == DurationText.parse(text) } == true
    }

    /// Each key's path in a file, with its value.
    private static func keys(in document: JSONDocument, below path: [String]) -> [(String, JSONDocument)] {
        let key = path.joined(separator: ".")
        if KeyTable.keys.contains(where: { $0.pattern.names(in: key) != nil }) { return [(key, document)] }
        guard case .object(let members) = document.content else { return [] }
        return members.filter { !["extends", "$schema"].contains($0.name) }
            .flatMap { keys(in: $0.value, below: path + [$0.name]) }
    }

    @Test func mutatedTextForEveryKeyIsReadOrRefused() throws {
        let workspace = try Workspace(["Test": "{}"])
        var generator = SeededGenerator(seed: 7)
        let values = [
            "1MiB", "5s", "127.0.0.1:7400", "https://a/", "strict", #"{"if": [true, "on"]}"#, "[\"a\"]", "10",
        ]
        let names = ["NAME": "tv", "ROUTE": "a.B/C", "FLAG": "f", "ITEM": "q", "FIELD": "h"]
        for row in KeyDocumentation.rows {
            let key = row.key.split(separator: ".").map { names[String($0)] ?? String($0) }.joined(
                separator: ".")
            for value in values {
                let text = String(decoding: Self.mutated(Array(value.utf8), using: &generator), as: UTF8.self)
                _ = workspace.faults(set: [key: text])
            }
        }
    }
}
