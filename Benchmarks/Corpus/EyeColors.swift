/// Eye colours as often as among the upstream's 82 people, the rare ones made up to fifteen.
struct EyeColors {
    private static let counted: [(String, Int)] = [
        ("brown", 20), ("blue", 19), ("yellow", 11), ("black", 9), ("orange", 8), ("red", 5), ("hazel", 2),
        ("unknown", 2), ("blue-gray", 1), ("pink", 1), ("red, blue", 1), ("gold", 1), ("green, yellow", 1),
        ("white", 1), ("green", 1),
    ]

    let names: [String]
    private let choice: WeightedChoice

    /// - Parameter count: the fifteen, fewer of them, or more that are all as rare as the last.
    init(count: Int) {
        let more = (0..<max(0, count - Self.counted.count)).map { ("colour \($0 + 16)", 1) }
        let colors = Self.counted.prefix(count) + more
        names = colors.map { $0.0 }
        choice = WeightedChoice(colors.map { $0.1 })
    }

    func index(_ random: inout SeededRandom) -> Int { choice.index(&random) }
    func name(_ random: inout SeededRandom) -> String { names[index(&random)] }
}
