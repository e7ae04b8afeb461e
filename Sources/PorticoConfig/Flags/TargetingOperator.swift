/// What targeting rules are made of: the part of JsonLogic (jsonlogic.com/operations.html) that chooses by comparing,
/// and flagd's own operations (flagd.dev, custom operations).
enum TargetingOperator: String, CaseIterable {
    case variable = "var"
    case `if`
    case equal = "=="
    case identical = "==="
    case notEqual = "!="
    case notIdentical = "!=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and
    case or
    case not = "!"
    case truth = "!!"
    case contained = "in"
    case concatenated = "cat"
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case semanticVersion = "sem_ver"
    case fractional

    /// How many arguments it takes.
    var arity: ClosedRange<Int> {
        switch self {
        case .variable: 0...2
        case .not, .truth: 1...1
        case .equal, .identical, .notEqual, .notIdentical, .contained, .startsWith, .endsWith: 2...2
        case .less, .lessOrEqual: 2...3
        case .greater, .greaterOrEqual: 2...2
        case .semanticVersion: 3...3
        case .if, .and, .or, .concatenated, .fractional: 1...Int.max
        }
    }
}
