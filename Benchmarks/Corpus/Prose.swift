/// Running text for the long fields, from a small vocabulary.
struct Prose {
    /// - Parameter words: how many.
    static func text(words: Int, _ random: inout SeededRandom) -> String {
        var text = ""
        for index in 0..<words {
            if index > 0 { text += random.below(9) == 0 ? ", " : random.below(14) == 0 ? ". " : " " }
            text += random.pick(vocabulary)
        }
        return text + "."
    }

    private static let vocabulary = [
        "the", "a", "of", "and", "to", "in", "on", "with", "her", "his", "team", "engineer", "designer",
        "builds", "leads", "loves", "payments", "mobile", "server", "café", "mountains", "weekend", "years",
        "previously", "worked", "for", "detective", "family", "city", "secret", "returns", "against",
        "young", "discovers", "world", "war", "daughter", "naïve", "friends", "must", "before", "it", "is",
        "late", "resilient", "infrastructure", "thoughtfully",
    ]
}
