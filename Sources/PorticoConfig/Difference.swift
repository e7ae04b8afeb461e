/// A key that has not the same value in two configurations.
package struct Difference: Sendable, Equatable {
    package let key: String
    /// As `--set` takes it; `${NAME}` or `«secret»` for whatever is one; nil: nothing has this name there.
    package let before: String?
    package let after: String?
    /// A running server cannot take it.
    package let needsRestart: Bool

    /// `listen.address: 127.0.0.1:7400 → 0.0.0.0:7400`
    package var text: String {
        before == after
            ? "\(key): \(before ?? "none") (another value)" : "\(key): \(before ?? "—") → \(after ?? "—")"
    }
}

extension LoadedConfiguration {
    /// What is not the same in `newer`, in the order of the documentation. Secrets are compared, never shown.
    package func differences(to newer: LoadedConfiguration) -> [Difference] {
        let (before, after) = (shownValues, newer.shownValues)
        return KeyTable.keys.flatMap { key in
            let names = Set(key.names(configuration)).union(key.names(newer.configuration))
            return names.sorted { $0.lexicographicallyPrecedes($1) }
                .filter { !key.isSame(configuration, newer.configuration, $0) }
                .map { names in
                    let text = key.pattern.key(names)
                    return Difference(
                        key: text, before: before[text], after: after[text],
                        needsRestart: key.reload == .needsRestart)
                }
        }
    }

    private var shownValues: [String: String] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.named) })
    }
}

extension LoadedConfiguration.Value {
    /// The value; of a secret from the process environment, the names of its variables.
    fileprivate var named: String {
        guard case .secret(let variables, _) = origin else { return shown }
        return variables.map { "${\($0)}" }.joined(separator: ", ")
    }
}

/// What becomes of a running configuration when a newer one is read.
package struct Reloading: Sendable {
    /// The newer one, except for what needs a restart.
    package let configuration: LoadedConfiguration
    package let applied: [Difference]
    /// Taken over by the next start.
    package let waiting: [Difference]
}

extension LoadedConfiguration {
    /// Takes over from `newer` what a running server can take.
    /// - Throws: what is right in itself but does not go with the values that need a restart.
    package func reloading(to newer: LoadedConfiguration) throws(ConfigurationFaults) -> Reloading {
        var result = newer.configuration
        var kept: Set<String> = []
        for key in KeyTable.keys where key.reload == .needsRestart {
            key.keep?(configuration, &result)
            kept.insert(key.pattern.text)
        }
        let faults = WholeChecks.all.flatMap { $0(result) }.map { finding in
            ConfigurationFault(
                newer.place(of: finding.key),
                "\(finding.key): \(finding.message) in the running server; this needs a restart")
        }
        guard faults.isEmpty else { throw ConfigurationFaults(newer.hidingSecrets(in: faults)) }
        let running = Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0) })
        let merged = LoadedConfiguration(
            configuration: result,
            values: newer.values.map { kept.contains($0.key) ? running[$0.key] ?? $0 : $0 },
            taken: newer.taken.joined(by: taken))
        let differences = differences(to: newer)
        return Reloading(
            configuration: merged, applied: differences.filter { !$0.needsRestart },
            waiting: differences.filter(\.needsRestart))
    }
}
