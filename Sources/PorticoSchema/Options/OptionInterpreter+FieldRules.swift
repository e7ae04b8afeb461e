/// `(portico.v1.rules)`: each rule must suit the field's type, and the rules each other.
///
///     int32 age = 1 [(portico.v1.rules).email = true];   →   "email" is a rule for string fields
extension OptionInterpreter {
    private static let textRules = ["min_length", "max_length", "pattern", "email"]

    mutating func checkFieldRules(of field: FieldNode) {
        guard let rules = field.options.message.message("portico.v1.rules"), let kind = field.kind else {
            return
        }
        for name in Self.textRules where kind != .string {
            refuse(name, of: rules, "a rule for string fields")
        }
        if kind != .enumeration { refuse("known", of: rules, "a rule for enum fields") }
        checkLengths(rules)
        checkPattern(rules)
    }

    private mutating func refuse(_ name: String, of rules: OptionMessage, _ reason: String) {
        guard let entry = rules.entry(name) else { return }
        faults.add(entry.location, "\"\(name)\" is \(reason)")
    }

    private mutating func checkLengths(_ rules: OptionMessage) {
        guard let least = rules.integer("min_length"), let most = rules.integer("max_length"), least > most,
            let entry = rules.entry("min_length")
        else { return }
        faults.add(entry.location, "no text has at least \(least) and at most \(most) characters")
    }

    /// How long matching may take is bounded by the text's length, so that must be bounded.
    private mutating func checkPattern(_ rules: OptionMessage) {
        guard let pattern = rules.texts("pattern").first else { return }
        do throws(TextPattern.Fault) {
            _ = try TextPattern(pattern.text)
        } catch {
            faults.add(pattern.location, "the pattern \"\(pattern.text)\" cannot be read: \(error.reason)")
        }
        if rules.entry("max_length") == nil {
            faults.add(pattern.location, "a pattern needs \"max_length\", so that matching ends soon")
        }
    }
}
