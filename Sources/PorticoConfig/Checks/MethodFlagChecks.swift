import PorticoSchema
import PorticoTranscode

/// What `methods.ROUTE.…` says of flags: each is defined, and all of its variants are what the method needs.
enum MethodFlagChecks {
    /// What a key needs of its flag's variants.
    private struct Need {
        let name: String
        let flag: @Sendable (Configuration.MethodFlags) -> String?
        let expected: String
        let isMet: @Sendable (JSONValue) -> Bool
    }

    private static let needs = [
        Need(name: "enabledBy", flag: { $0.enabledBy }, expected: "true or false") { value in
            if case .bool = value { true } else { false }
        },
        Need(name: "freshBy", flag: { $0.freshBy }, expected: "a duration") {
            MethodFlagChecks.duration($0) != nil
        },
        Need(name: "decodeBy", flag: { $0.decodeBy }, expected: "\"lossy\" or \"strict\"") {
            MethodFlagChecks.mode($0) != nil
        },
    ]

    @Sendable static func findings(_ configuration: Configuration) -> [WholeChecks.Finding] {
        configuration.methods.sorted { $0.key < $1.key }.flatMap { route, flags in
            needs.compactMap { need in
                need.flag(flags).flatMap { finding(need, route: route, flag: $0, configuration) }
            }
        }
    }

    private static func finding(
        _ need: Need, route: String, flag name: String, _ configuration: Configuration
    ) -> WholeChecks.Finding? {
        let key = "methods.\(route).\(need.name)"
        guard let flag = configuration.flags[name] else {
            let nearest = Spelling.nearest(to: name, among: configuration.flags.keys.sorted())
            return .init(
                key: key,
                message: "no flag is named \(name)\(nearest.map { "; did you mean \($0)?" } ?? "")")
        }
        let wrong = flag.variants.sorted { $0.key < $1.key }.first { !need.isMet($0.value) }
        return wrong.map { variant in
            .init(
                key: key, others: ["flags.\(name).variants"],
                message: "every variant of \(name) must be \(need.expected); "
                    + "`\(variant.key)` is \(variant.value.compactText)")
        }
    }

    static func duration(_ value: JSONValue) -> Duration? {
        guard case .string(let text) = value else { return nil }
        return try? KeyTable.freshness.read(RawValue(form: .text(text)))
    }

    static func mode(_ value: JSONValue) -> Configuration.DecodeMode? {
        guard case .string(let text) = value else { return nil }
        return Configuration.DecodeMode(rawValue: text)
    }
}

extension Configuration {
    /// With the settings in place that flags choose for all clients: `methods.ROUTE.freshBy` and `decodeBy`.
    ///
    /// They are evaluated for a client without a name, because clients share the answers that they shape.
    /// - Parameter timestamp: seconds since 1970.
    package func choosingByFlags(timestamp: Int64) -> Configuration {
        var chosen = self
        let evaluator = FlagEvaluator(flags: flags)
        func value(_ flag: String?) -> JSONValue? {
            flag.flatMap { evaluator.evaluate($0, for: FlagContext(), timestamp: timestamp)?.value }
        }
        for (route, names) in methods {
            if let fresh = value(names.freshBy).flatMap(MethodFlagChecks.duration) {
                chosen.cache.methods[route, default: MethodCache()].fresh = fresh
            }
            if let mode = value(names.decodeBy).flatMap(MethodFlagChecks.mode) {
                chosen.decode.methods[route] = mode
            }
        }
        return chosen
    }
}
