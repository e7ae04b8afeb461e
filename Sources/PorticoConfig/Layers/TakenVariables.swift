/// The variables whose values files take by `${NAME}`: what must not be told to anybody.
struct TakenVariables: Sendable {
    /// Anything shorter occurs in every other sentence, and is no secret.
    private static let shortest = 4

    private var values: [String: Secret]

    init(values: [String: Secret] = [:]) { self.values = values }

    mutating func add(_ names: [String], of variables: [String: String]) {
        for name in names {
            guard let value = variables[name], value.count >= Self.shortest else { continue }
            values[name] = Secret(value)
        }
    }

    /// Both: what runs may hold values that the files no longer take.
    func joined(by older: TakenVariables) -> TakenVariables {
        TakenVariables(values: values.merging(older.values) { newer, _ in newer })
    }

    /// The text with names in place of values.
    func hidden(in text: String) -> String {
        let longestFirst = values.sorted {
            ($1.value.revealed.count, $0.key) < ($0.value.revealed.count, $1.key)
        }
        return longestFirst.reduce(text) { text, taken in
            text.replacing(taken.value.revealed, with: "${\(taken.key)}")
                .replacing(taken.value.revealed.lowercased(), with: "${\(taken.key)}")
        }
    }

    func hiding(_ fault: ConfigurationFault) -> ConfigurationFault {
        ConfigurationFault(fault.place, hidden(in: fault.message))
    }
}
