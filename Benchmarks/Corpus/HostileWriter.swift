import Foundation

/// Writes people the way that a fast reader likes least: pretty-printed, keys in another order each time, every
/// text full of escapes and of characters of two, three and four bytes. Keys are not escaped: not every peer
/// compares them unescaped.
struct HostileWriter: ItemWriter {
    static let opening =
        "{\n  \"count\" : 1,\n  \"next\" : null,\n  \"previous\" : null,\n  \"results\" : [\n"
    static let closing = "\n  ]\n}\n"

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func write(item number: Int, to json: inout [UInt8]) {
        var members = Self.texts.map { "\"\($0)\" : \"\(text(pieces: 2 + random.below(5)))\"" }
        members += Self.lists.map { name in
            let elements = (0..<random.below(4)).map { _ in "        \"\(text(pieces: 6))\"" }
            return "\"\(name)\" : [\n\(elements.joined(separator: ",\n"))\n      ]"
        }
        members.shuffle(using: &random)
        let lines = members.map { "      " + $0 }.joined(separator: ",\n")
        json.append(contentsOf: "\n    {\n\(lines)\n    }".utf8)
    }

    private mutating func text(pieces: Int) -> String {
        (0..<pieces).map { _ in random.pick(Self.pieces) }.joined()
    }

    private static let texts = [
        "name", "height", "mass", "hair_color", "skin_color", "eye_color", "birth_year", "gender",
        "homeworld",
        "created", "edited", "url",
    ]
    private static let lists = ["films", "species", "vehicles", "starships"]
    /// As they stand in the JSON.
    private static let pieces = [
        "é", "Ω", "漢字", "🚀", "ß", "plain", "\\\"", "\\\\", "\\/", "\\n", "\\t", "\\u00e9", "\\u6f22",
        "\\ud83d\\ude80", "a b", "\\u0041",
    ]
}
