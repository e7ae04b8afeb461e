package import PorticoTranscode

/// Who asks: from the client's Hello. Empty texts are absent to targeting rules.
package struct FlagContext: Sendable, Equatable {
    /// Also the `targetingKey`: the same client stays in the same bucket.
    package var clientID: String
    package var appVersion: String
    package var platform: String
    package var locale: String

    package init(clientID: String = "", appVersion: String = "", platform: String = "", locale: String = "") {
        self.clientID = clientID
        self.appVersion = appVersion
        self.platform = platform
        self.locale = locale
    }
}

/// Why a flag has its value (OpenFeature's resolution reasons).
package enum FlagReason: String, Sendable {
    /// The flag has no rules.
    case `static` = "STATIC"
    /// A rule chose the variant.
    case targetingMatch = "TARGETING_MATCH"
    /// The rules chose nothing.
    case `default` = "DEFAULT"
    case disabled = "DISABLED"
    /// The rules failed, or named a variant that does not exist.
    case error = "ERROR"
}

package struct FlagResult: Sendable, Equatable {
    package var value: JSONValue
    package var variant: String
    package var reason: FlagReason

    package init(value: JSONValue, variant: String, reason: FlagReason) {
        self.value = value
        self.variant = variant
        self.reason = reason
    }
}

/// Evaluates flags for clients. Whatever a rule does, each defined flag has a value: its default variant, with the
/// reason.
package struct FlagEvaluator: Sendable {
    private let flags: [String: FlagDefinition]

    package init(flags: [String: FlagDefinition]) { self.flags = flags }

    /// Sorted.
    package var names: [String] { flags.keys.sorted() }

    /// - Parameter timestamp: seconds since 1970, for rules on `$flagd.timestamp`.
    /// - Returns: nil if no flag has the name.
    package func evaluate(_ name: String, for context: FlagContext, timestamp: Int64) -> FlagResult? {
        guard let flag = flags[name] else { return nil }
        guard flag.isEnabled else { return result(flag, .disabled) }
        guard let targeting = flag.targeting, targeting != .object([]) else { return result(flag, .static) }
        let logic = TargetingLogic(flag: name, context: context, timestamp: timestamp)
        let choice: JSONValue
        do {
            choice = try logic.evaluate(targeting)
        } catch {
            return result(flag, .error)
        }
        let variant: String
        switch choice {
        case .null: return result(flag, .default)
        case .string(let text): variant = text
        case .bool(let bool): variant = bool ? "true" : "false"
        case .number(let text): variant = text
        case .array, .object: return result(flag, .error)
        }
        guard let value = flag.variants[variant] else { return result(flag, .error) }
        return FlagResult(value: value, variant: variant, reason: .targetingMatch)
    }

    private func result(_ flag: FlagDefinition, _ reason: FlagReason) -> FlagResult {
        FlagResult(
            value: flag.variants[flag.defaultVariant] ?? .null, variant: flag.defaultVariant, reason: reason)
    }
}
