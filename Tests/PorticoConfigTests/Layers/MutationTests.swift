import Foundation
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
