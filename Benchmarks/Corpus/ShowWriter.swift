import Foundation

/// Writes shows as TMDB's trending list has them: its keys in its order, floats of three to six digits, short
/// arrays of numbers, an overview of 20 to 80 words.
struct ShowWriter: ItemWriter {
    static let opening = #"{"page":1,"results":["#
    static let closing = #"],"total_pages":1000,"total_results":20000}"#

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func write(item number: Int, to json: inout [UInt8]) {
        let name = Prose.text(words: 1 + random.below(4), &random).capitalized
        let genres = (0..<random.below(5)).map { _ in String(random.pick([16, 18, 35, 80, 9648, 10759])) }
        let members = [
            #""adult":false"#, #""backdrop_path":\#(path())"#, #""id":\#(1000 + random.below(250_000))"#,
            #""name":"\#(name)""#, #""original_language":"\#(random.pick(["en", "ko", "ja", "es"]))""#,
            #""original_name":"\#(name)""#,
            #""overview":"\#(Prose.text(words: 20 + random.below(60), &random))""#,
            #""poster_path":\#(path())"#, #""media_type":"tv""#,
            #""genre_ids":[\#(genres.joined(separator: ","))]"#,
            #""popularity":\#(decimal(below: 3_000_000))"#,
            #""first_air_date":"20\#(10 + random.below(15))-0\#(1 + random.below(9))-\#(10 + random.below(19))""#,
            #""vote_average":\#(decimal(below: 10_000))"#, #""vote_count":\#(random.below(20_000))"#,
            #""origin_country":["\#(random.pick(["US", "KR", "JP", "ES"]))"]"#,
        ]
        json.append(contentsOf: "{\(members.joined(separator: ","))}".utf8)
    }

    /// Thousandths, as the upstream writes them: `8.456`, `1273.01`.
    private mutating func decimal(below limit: Int) -> String {
        String(Double(random.below(limit)) / 1000)
    }

    private mutating func path() -> String {
        if random.below(8) == 0 { return "null" }
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return "\"/\(String((0..<27).map { _ in random.pick(letters) })).jpg\""
    }
}
