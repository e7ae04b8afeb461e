import PorticoSchema
import PorticoTranscode

/// Puts the values in force into a configuration, and checks what only the whole of it can show.
struct Assembly {
    private var configuration: Configuration
    private var settings: [Setting.ID: Setting]
    private let layers: Layers
    private let variables: [String: String]
    private let secrets: ConfigurationLoader.Secrets
    private var faults: [ConfigurationFault]
    private var taken = TakenVariables()
    /// Keys whose value could not be read: nothing that follows from them is reported.
    private var failed: Set<Setting.ID> = []

    init(
        environment: String, layers: Layers, variables: [String: String], secrets: ConfigurationLoader.Secrets
    ) {
        configuration = Configuration(environment: environment)
        settings = layers.settings
        self.layers = layers
        self.variables = variables
        self.secrets = secrets
        faults = layers.faults
    }

    /// What later layers replaced has to be right too, except for secrets that are not there.
    mutating func checkReplacedValues() {
        var scratch = configuration
        for setting in layers.replaced {
            if case .document(let document) = setting.raw.form, Interpolation.isNeeded(by: document) {
                continue
            }
            if let refusal = Self.write(setting, to: &scratch) { report(setting, refusal) }
        }
    }

    mutating func writeValues() {
        for id in settings.keys.sorted(by: { ($0.key, $0.text) < ($1.key, $1.text) }) {
            guard let setting = filled(id) else { continue }
            settings[id] = setting
            if let refusal = Self.write(setting, to: &configuration) {
                failed.insert(id)
                report(setting, refusal)
            }
        }
    }

    /// The setting with its secrets in place; nil: they cannot be had, which is reported.
    private mutating func filled(_ id: Setting.ID) -> Setting? {
        guard var setting = settings[id] else { return nil }
        guard case .file(let location) = setting.origin, case .document(let document) = setting.raw.form,
            Interpolation.isNeeded(by: document)
        else { return setting }
        var interpolation = Interpolation(variables: variables, secrets: secrets)
        setting.raw = interpolation.fill(document)
        taken.add(interpolation.names, of: variables)
        for problem in interpolation.problems {
            faults.append(ConfigurationFault(.file(location), "\(id.text): \(problem)"))
        }
        guard interpolation.problems.isEmpty else {
            failed.insert(id)
            return nil
        }
        if !interpolation.names.isEmpty {
            setting.origin = .secret(variables: interpolation.names, location)
        }
        return setting
    }

    private static func write(_ setting: Setting, to configuration: inout Configuration) -> Refusal? {
        do {
            try setting.id.definition.write(setting.raw, setting.id.names, &configuration)
            return nil
        } catch {
            return error
        }
    }

    private mutating func report(_ setting: Setting, _ refusal: Refusal) {
        var place = setting.place
        if case .file = place, let inside = refusal.location { place = .file(inside) }
        faults.append(ConfigurationFault(place, setting.subject + refusal.message))
    }

    // MARK: - The whole

    mutating func checkWhole() {
        checkRequiredKeys()
        for check in WholeChecks.all {
            for finding in check(configuration) {
                guard let id = Self.id(finding.key), !failed.contains(id) else { continue }
                guard finding.others.allSatisfy({ key in Self.id(key).map { !failed.contains($0) } ?? true })
                else {
                    continue
                }
                // A default is wrong because of what was written elsewhere.
                let places = ([finding.key] + finding.others).compactMap { key in
                    Self.id(key).flatMap { settings[$0]?.place }
                }
                let place = places.first ?? .environment(configuration.environment)
                let subject = settings[id]?.subject ?? "\(finding.key): "
                faults.append(ConfigurationFault(place, subject + finding.message))
            }
        }
    }

    private mutating func checkRequiredKeys() {
        for (instance, place) in layers.instances {
            for (index, key) in KeyTable.keys.enumerated()
            where key.defaultText == nil && key.collection == instance.collection {
                let id = Setting.ID(key: index, names: [instance.name])
                guard settings[id] == nil else { continue }
                failed.insert(id)
                guard !layers.suggested.contains(id.text) else { continue }
                let missing = id.text.dropFirst(instance.text.count + 1)
                faults.append(ConfigurationFault(place, "\(instance.text): \(missing) is missing"))
            }
        }
    }

    private static func id(_ key: String) -> Setting.ID? {
        for index in KeyTable.keys.indices {
            if let names = KeyTable.keys[index].pattern.names(in: key) {
                return .init(key: index, names: names)
            }
        }
        return nil
    }

    // MARK: - Results

    /// Files in the order given, each from its top; then variables, then options.
    func sortedFaults(files: [String]) -> [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> [Int] {
            switch fault.place {
            case .environment: [-1]
            case .file(let location):
                [files.firstIndex(of: location.file) ?? files.count, location.line, location.column]
            case .variable: [.max - 1]
            case .option: [.max]
            }
        }
        return faults.map(taken.hiding).sorted { left, right in
            let (a, b) = (rank(left), rank(right))
            return a == b ? left.description < right.description : a.lexicographicallyPrecedes(b)
        }
    }

    var loaded: LoadedConfiguration {
        let values = idsInForce.compactMap { id -> LoadedConfiguration.Value? in
            guard let shown = id.definition.show(configuration, id.names) else { return nil }
            let origin = settings[id]?.origin ?? .builtIn
            return .init(key: id.text, shown: Self.shown(shown, origin), origin: origin)
        }
        return LoadedConfiguration(configuration: configuration, values: values, taken: taken)
    }

    /// In the order of the documentation; what the files name stays together, name by name.
    private var idsInForce: [Setting.ID] {
        var firstOfCollection: [String: Int] = [:]
        var ids: [(group: Int, id: Setting.ID)] = []
        for (index, key) in KeyTable.keys.enumerated() {
            let group = key.collection.map { firstOfCollection[$0, default: index] } ?? index
            if let collection = key.collection { firstOfCollection[collection] = group }
            ids += key.names(configuration).map { (group, Setting.ID(key: index, names: $0)) }
        }
        func precedes(_ a: (group: Int, id: Setting.ID), _ b: (group: Int, id: Setting.ID)) -> Bool {
            if a.group != b.group { return a.group < b.group }
            let (first, second) = (a.id.names.first ?? "", b.id.names.first ?? "")
            if first != second { return first < second }
            return (a.id.key, a.id.text) < (b.id.key, b.id.text)
        }
        return ids.sorted(by: precedes).map(\.id)
    }

    private static func shown(_ text: String, _ origin: Origin) -> String {
        if case .secret = origin { return Secret("").description }
        return text
    }
}
