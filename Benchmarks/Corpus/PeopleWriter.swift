import Foundation

/// Writes people like the upstream's: its keys in its order, compact, names and numbers varied, lists of URLs
/// of its lengths, the odd accent and escape.
struct PeopleWriter: ItemWriter {
    static let opening = #"{"count":82,"next":null,"previous":null,"results":["#
    static let closing = "]}"

    private var random: SeededRandom
    private let eyes = EyeColors(count: 15)
    /// One person.
    private var json: [UInt8] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A page of people as the upstream answers it.
    mutating func page(people count: Int) -> [UInt8] {
        var page = Array(Self.opening.utf8)
        for number in 1...count {
            if number > 1 { page.append(UInt8(ascii: ",")) }
            write(item: number, to: &page)
        }
        return page + Array(Self.closing.utf8)
    }

    mutating func write(item number: Int, to out: inout [UInt8]) {
        json.removeAll(keepingCapacity: true)
        person(number)
        out.append(contentsOf: json)
    }

    private mutating func person(_ number: Int) {
        write("{\"name\":\"\(name())\",\"height\":\"\(66 + random.below(200))\",\"mass\":\"\(mass())\"")
        write(",\"hair_color\":\"\(random.pick(Self.hair))\",\"skin_color\":\"\(random.pick(Self.skin))\"")
        write(",\"eye_color\":\"\(eyes.name(&random))\",\"birth_year\":\"\(birthYear())\"")
        write(",\"gender\":\"\(random.pick(Self.genders))\"")
        write(",\"homeworld\":\"https://swapi.dev/api/planets/\(1 + random.below(60))/\"")
        list("films", random.pick([1, 1, 1, 1, 2, 2, 3, 5]), of: 6)
        list("species", random.pick([0, 1, 1]), of: 37)
        list("vehicles", random.pick([0, 0, 0, 0, 0, 1]), of: 76)
        list("starships", random.pick([0, 0, 0, 1, 1]), of: 75)
        write(",\"created\":\"\(time(in: 2014))\",\"edited\":\"\(time(in: 2015))\"")
        write(",\"url\":\"https://swapi.dev/api/people/\(number)/\"}")
    }

    private mutating func write(_ text: String) { json.append(contentsOf: text.utf8) }

    private mutating func list(_ name: String, _ count: Int, of total: Int) {
        let urls = (0..<count).map { _ in "\"https://swapi.dev/api/\(name)/\(1 + random.below(total))/\"" }
        write(",\"\(name)\":[\(urls.joined(separator: ","))]")
    }

    private mutating func name() -> String {
        let words = (0..<random.pick([1, 2, 2, 2, 3])).map { _ in Self.word(&random) }
        return words.joined(separator: random.pick([" ", " ", " ", "-", " \\\"The\\\" "]))
    }

    /// A name of two words; one among millions.
    static func plainName(_ random: inout SeededRandom) -> String {
        word(&random) + " " + word(&random)
    }

    private static func word(_ random: inout SeededRandom) -> String {
        (0..<random.pick([2, 2, 3])).map { _ in random.pick(syllables) }.joined().capitalized
    }

    private mutating func mass() -> String {
        random.below(8) == 0
            ? random.pick(["unknown", "1,358", "78.2", "56.2"]) : String(15 + random.below(150))
    }

    private mutating func birthYear() -> String {
        random.below(2) == 0 ? "unknown" : "\(8 + random.below(900))\(random.pick(["", ".5"]))BBY"
    }

    private mutating func time(in year: Int) -> String {
        let fields = [12, 28, 24, 60, 60].map { random.below($0) }
        let texts = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let (month, day) = (texts[0] == "00" ? "12" : texts[0], texts[1] == "00" ? "28" : texts[1])
        return "\(year)-\(month)-\(day)T\(texts[2]):\(texts[3]):\(texts[4]).\(100 + random.below(900))000Z"
    }

    private static let syllables = [
        "lu", "ke", "sky", "wal", "ker", "le", "ia", "or", "ga", "na", "obi", "wan", "ke", "no", "bi", "an",
        "han",
        "so", "lo", "chew", "bac", "ca", "pad", "mé", "ami", "da", "la", "qui", "gon", "jar", "bin", "ks",
        "yo", "pal",
        "pa", "tine", "bo", "ba", "fett", "lan", "do", "ack", "bar", "mon", "moth", "ma", "wick", "et",
        "nien", "nunb",
    ]
    private static let hair = [
        "none", "none", "none", "brown", "brown", "black", "black", "n/a", "white", "blond", "auburn, white",
    ]
    private static let skin = [
        "fair", "fair", "light", "green", "grey", "pale", "dark", "brown", "white, blue",
        "grey, green, yellow",
    ]
    private static let genders = ["male", "male", "male", "male", "female", "n/a", "hermaphrodite", "none"]
}
