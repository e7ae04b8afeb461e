import PorticoTranscode

/// Evaluates targeting rules over one client's context. Rules come from files: none can trap, loop or run deep.
struct TargetingLogic {
    enum Failure: Error, Equatable {
        case tooDeep
        case unknownOperator(String)
        case wrongArguments(of: String)
    }

    private let flag: String
    private let data: JSONValue

    init(flag: String, context: FlagContext, timestamp: Int64) {
        self.flag = flag
        let texts = [
            ("targetingKey", context.clientID), ("clientId", context.clientID),
            ("appVersion", context.appVersion), ("platform", context.platform), ("locale", context.locale),
        ]
        let known = texts.filter { !$0.1.isEmpty }.map { JSONValue.Member($0.0, .string($0.1)) }
        let own = JSONValue.object([
            .init("flagKey", .string(flag)), .init("timestamp", .number("\(timestamp)")),
        ])
        data = .object(known + [.init("$flagd", own)])
    }

    func evaluate(_ rule: JSONValue) throws(Failure) -> JSONValue { try evaluate(rule, depth: 0) }

    private func evaluate(_ rule: JSONValue, depth: Int) throws(Failure) -> JSONValue {
        guard depth <= TargetingRules.maximumDepth else { throw .tooDeep }
        switch rule {
        case .null, .bool, .number, .string:
            return rule
        case .array(let elements):
            return .array(
                try elements.map { (element) throws(Failure) in try evaluate(element, depth: depth + 1) })
        case .object(let members):
            guard let member = members.first, members.count == 1 else { return rule }
            guard let known = TargetingOperator(rawValue: member.name) else {
                throw .unknownOperator(member.name)
            }
            var arguments = [member.value]
            if case .array(let elements) = member.value { arguments = elements }
            guard known.arity.contains(arguments.count) else { throw .wrongArguments(of: member.name) }
            return try apply(known, to: arguments, depth: depth + 1)
        }
    }

    private func apply(
        _ known: TargetingOperator, to arguments: [JSONValue], depth: Int
    ) throws(Failure) -> JSONValue {
        switch known {
        case .if: return try branch(arguments, depth: depth)
        case .and: return try firstDecisive(arguments, truth: false, depth: depth)
        case .or: return try firstDecisive(arguments, truth: true, depth: depth)
        case .fractional: return try fractional(arguments, depth: depth)
        case .variable, .equal, .identical, .notEqual, .notIdentical, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .not, .truth, .contained, .concatenated, .startsWith, .endsWith,
            .semanticVersion:
            let values = try arguments.map { (argument) throws(Failure) in
                try evaluate(argument, depth: depth)
            }
            return compute(known, values)
        }
    }

    // MARK: - What evaluates only some of its arguments

    /// `if, then, else if, then, …, else`
    private func branch(_ arguments: [JSONValue], depth: Int) throws(Failure) -> JSONValue {
        var index = 0
        while index + 1 < arguments.count {
            if try evaluate(arguments[index], depth: depth).isTruthy {
                return try evaluate(arguments[index + 1], depth: depth)
            }
            index += 2
        }
        return index < arguments.count ? try evaluate(arguments[index], depth: depth) : .null
    }

    /// The first value of the given truth, else the last one.
    private func firstDecisive(
        _ arguments: [JSONValue], truth: Bool, depth: Int
    ) throws(Failure) -> JSONValue {
        var last = JSONValue.null
        for argument in arguments {
            last = try evaluate(argument, depth: depth)
            if last.isTruthy == truth { return last }
        }
        return last
    }

    private func fractional(_ arguments: [JSONValue], depth: Int) throws(Failure) -> JSONValue {
        var buckets = arguments[...]
        let text: String
        if case .array = arguments[0] {
            guard case .string(let key)? = data["targetingKey"] else { return .null }
            text = flag + key
        } else {
            let value = try evaluate(buckets.removeFirst(), depth: depth)
            guard case .string(let chosen) = value else { return .null }
            text = chosen
        }
        var weights: [Int] = []
        var variants: [JSONValue] = []
        for bucket in buckets {
            guard case .array(let parts) = bucket, (1...2).contains(parts.count) else {
                throw .wrongArguments(of: TargetingOperator.fractional.rawValue)
            }
            variants.append(parts[0])
            let weight = parts.count == 2 ? try evaluate(parts[1], depth: depth) : .number("1")
            weights.append(weight.number.flatMap { Int(exactly: $0.rounded(.towardZero)) } ?? 0)
        }
        guard let index = Fractional.bucket(of: text, weights: weights) else { return .null }
        return try evaluate(variants[index], depth: depth)
    }

    // MARK: - What evaluates all of them

    /// The number of values has been checked.
    private func compute(_ known: TargetingOperator, _ values: [JSONValue]) -> JSONValue {
        switch known {
        case .variable: lookUp(values)
        case .equal: .bool(values[0].isLooselyEqual(to: values[1]))
        case .notEqual: .bool(!values[0].isLooselyEqual(to: values[1]))
        case .identical: .bool(values[0].isIdentical(to: values[1]))
        case .notIdentical: .bool(!values[0].isIdentical(to: values[1]))
        case .less:
            .bool(
                inOrder(values) {
                    $0 < $1
                } text: {
                    $0 < $1
                })
        case .lessOrEqual:
            .bool(
                inOrder(values) {
                    $0 <= $1
                } text: {
                    $0 <= $1
                })
        case .greater:
            .bool(
                inOrder(values) {
                    $0 > $1
                } text: {
                    $0 > $1
                })
        case .greaterOrEqual:
            .bool(
                inOrder(values) {
                    $0 >= $1
                } text: {
                    $0 >= $1
                })
        case .not: .bool(!values[0].isTruthy)
        case .truth: .bool(values[0].isTruthy)
        case .contained: .bool(values[1].contains(values[0]))
        case .concatenated: .string(values.map(\.plainText).joined())
        case .startsWith: .bool(texts(values).map { $0[0].hasBytePrefix($0[1]) } ?? false)
        case .endsWith: .bool(texts(values).map { $0[0].hasByteSuffix($0[1]) } ?? false)
        case .semanticVersion: .bool(compareVersions(values))
        case .if, .and, .or, .fractional:
            preconditionFailure(
                "these evaluate their arguments themselves: a bug in apply(), never a bad rule")
        }
    }

    private func lookUp(_ values: [JSONValue]) -> JSONValue {
        let otherwise = values.count > 1 ? values[1] : .null
        guard let path = values.first?.plainText, !path.isEmpty else { return data }
        var found = data
        for name in path.split(separator: ".") {
            guard let next = found[String(name)] else { return otherwise }
            found = next
        }
        return found
    }

    /// Each value and the next: two texts by their characters' numbers, all else as numbers.
    private func inOrder(
        _ values: [JSONValue], _ isOrdered: (Double, Double) -> Bool, text: (TextOrder, TextOrder) -> Bool
    ) -> Bool {
        zip(values, values.dropFirst()).allSatisfy { left, right in
            if case .string(let a) = left, case .string(let b) = right { return text(.init(a), .init(b)) }
            guard let a = left.number, let b = right.number else { return false }
            return isOrdered(a, b)
        }
    }

    private func texts(_ values: [JSONValue]) -> [String]? {
        let texts = values.compactMap { value in if case .string(let text) = value { text } else { nil } }
        return texts.count == values.count ? texts : nil
    }

    private func compareVersions(_ values: [JSONValue]) -> Bool {
        guard let texts = texts(values), let left = SemanticVersion(texts[0]),
            let relation = SemanticVersion.Relation(rawValue: texts[1]), let right = SemanticVersion(texts[2])
        else { return false }
        return left.is(relation, right)
    }
}
