import PorticoSchema
import PorticoTranscode

/// Checks targeting rules where they are written, so that a mistake is found at start and not in a client's hands.
enum TargetingRules {
    /// Levels of operators and lists; ``TargetingLogic`` goes no deeper either.
    static let maximumDepth = 32

    static func firstFault(in rule: JSONDocument) -> DocumentFault? {
        if case .object(let members) = rule.content, members.isEmpty { return nil }
        return firstFault(in: rule, depth: 0)
    }

    private static func firstFault(in rule: JSONDocument, depth: Int) -> DocumentFault? {
        guard depth < maximumDepth else {
            return DocumentFault(rule.location, "nested deeper than \(maximumDepth) levels")
        }
        switch rule.content {
        case .null, .bool, .number, .string: return nil
        case .array(let elements):
            return firstFault(among: elements, depth: depth + 1)
        case .object(let members):
            guard let member = members.first, members.count == 1 else {
                return DocumentFault(rule.location, "a rule has one operator, this has \(members.count)")
            }
            return firstFault(of: member, depth: depth)
        }
    }

    private static func firstFault(of rule: JSONDocument.Member, depth: Int) -> DocumentFault? {
        guard let known = TargetingOperator(rawValue: rule.name) else {
            let nearest = Spelling.nearest(to: rule.name, among: TargetingOperator.allCases.map(\.rawValue))
            let hint = nearest.map { "; did you mean `\($0)`?" } ?? ""
            return DocumentFault(rule.nameLocation, "no operator `\(rule.name)`\(hint)")
        }
        let arguments = arguments(rule.value)
        guard known.arity.contains(arguments.count) else {
            let count = arguments.count == 1 ? "1 argument" : "\(arguments.count) arguments"
            return DocumentFault(rule.nameLocation, "`\(rule.name)` does not take \(count)")
        }
        if let fault = fault(in: arguments, of: known) { return fault }
        return firstFault(among: arguments, depth: depth + 1)
    }

    /// A loop, because a lazy `compactMap` looks twice at what it finds: at every level, so 2^depth times.
    private static func firstFault(among rules: [JSONDocument], depth: Int) -> DocumentFault? {
        for rule in rules {
            if let fault = firstFault(in: rule, depth: depth) { return fault }
        }
        return nil
    }

    /// One argument need not stand in a list.
    private static func arguments(_ value: JSONDocument) -> [JSONDocument] {
        if case .array(let elements) = value.content { return elements }
        return [value]
    }

    private static func fault(in arguments: [JSONDocument], of known: TargetingOperator) -> DocumentFault? {
        switch known {
        case .semanticVersion:
            guard case .string(let relation) = arguments[1].content,
                SemanticVersion.Relation(rawValue: relation) == nil
            else { return nil }
            let list = SemanticVersion.Relation.allCases.map(\.rawValue).joined(separator: " ")
            return DocumentFault(arguments[1].location, "`sem_ver` compares with one of \(list)")
        case .fractional:
            return fault(inBuckets: arguments)
        case .variable, .if, .equal, .identical, .notEqual, .notIdentical, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .and, .or, .not, .truth, .contained, .concatenated, .startsWith, .endsWith:
            return nil
        }
    }

    /// Behind an optional text to hash: lists of a variant and an optional weight.
    private static func fault(inBuckets arguments: [JSONDocument]) -> DocumentFault? {
        var buckets = arguments[...]
        if let first = buckets.first, first.kindName != "a list" { buckets.removeFirst() }
        guard let last = arguments.last, !buckets.isEmpty else {
            return DocumentFault(arguments[0].location, "`fractional` needs lists of variant and weight")
        }
        var total = 0
        for bucket in buckets {
            guard case .array(let parts) = bucket.content, (1...2).contains(parts.count) else {
                return DocumentFault(bucket.location, "expected a list of variant and weight: [\"on\", 50]")
            }
            guard parts.count == 2, case .number(let text) = parts[1].content else { continue }
            guard let weight = Int(text), (0...Fractional.maximumTotal).contains(weight) else {
                return DocumentFault(
                    parts[1].location, "a weight is an integer, 0 to \(Fractional.maximumTotal), not \(text)")
            }
            total += weight
        }
        guard total <= Fractional.maximumTotal else {
            return DocumentFault(last.location, "the weights add up to more than \(Fractional.maximumTotal)")
        }
        return nil
    }

    /// The variants that a rule names as its result, as far as they are written out.
    static func literalVariants(in rule: JSONValue) -> [String] {
        switch rule {
        case .null, .bool, .number, .array: return []
        case .string(let variant): return [variant]
        case .object(let members):
            guard let member = members.first, case .array(let arguments) = member.value else { return [] }
            switch TargetingOperator(rawValue: member.name) {
            case .if:
                return arguments.indices.filter { $0 % 2 == 1 || $0 == arguments.count - 1 }
                    .flatMap { literalVariants(in: arguments[$0]) }
            case .fractional:
                return arguments.flatMap { argument -> [String] in
                    guard case .array(let parts) = argument, let variant = parts.first else { return [] }
                    return literalVariants(in: variant)
                }
            case .variable, .equal, .identical, .notEqual, .notIdentical, .less, .lessOrEqual, .greater,
                .greaterOrEqual, .and, .or, .not, .truth, .contained, .concatenated, .startsWith, .endsWith,
                .semanticVersion, nil:
                return []
            }
        }
    }
}
