import PorticoSchema

/// Layers whose keys come as text: environment variables and options. What they can name of the open names
/// (`upstreams.NAME.timeout`) follows from the files below them.
struct NamedLayers {
    private(set) var layers: Layers

    init(over layers: Layers) { self.layers = layers }

    /// - Parameter isSecret: whether an environment file takes this variable by `${NAME}`.
    mutating func read(variables: [String: String], isSecret: (String) -> Bool) {
        let ours = variables.filter { $0.key.hasPrefix("PORTICO_") }
        guard !ours.isEmpty else { return }
        let known = Dictionary(grouping: knownKeys, by: { $0.definition.pattern.variable($0.names) })
        for (name, text) in ours.sorted(by: { $0.key < $1.key }) {
            let candidates = known[name] ?? []
            switch candidates.count {
            case 0:
                guard !isSecret(name) else { continue }
                reportUnknown(name, among: known)
            case 1:
                layers.add(
                    Setting(id: candidates[0], raw: RawValue(form: .text(text)), origin: .variable(name)))
            default:
                let meanings = candidates.map(\.text).sorted().joined(separator: " or ")
                report(.variable(name), "it could mean \(meanings); use --set")
            }
        }
    }

    private mutating func reportUnknown(_ name: String, among known: [String: [Setting.ID]]) {
        let nearest = Spelling.nearest(to: name, among: known.keys.sorted())
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        report(.variable(name), "no key has this variable, and no environment file takes it\(hint)")
    }

    mutating func read(overrides: [Override]) {
        for override in overrides {
            let place = ConfigurationFault.Place.option("\(override.option) \(override.key)")
            guard let id = Self.key(override.key) else {
                let candidates = (knownKeys.map(\.text) + entryKeys(like: override.key)).sorted()
                let nearest = Spelling.nearest(to: override.key, among: candidates)
                report(place, "no such key\(nearest.map { "; did you mean \($0)?" } ?? "")")
                continue
            }
            if let problem = Self.problem(withNamesOf: id) {
                report(place, problem)
                continue
            }
            layers.add(
                Setting(
                    id: id, raw: RawValue(form: .text(override.value)), origin: .option(override.option)))
        }
    }

    private mutating func report(_ place: ConfigurationFault.Place, _ message: String) {
        layers.faults.append(ConfigurationFault(place, message))
    }

    /// Every key without open names, and the others with the names that the layers below have given.
    private var knownKeys: [Setting.ID] {
        var keys = Set(layers.settings.keys)
        for index in KeyTable.keys.indices {
            let key = KeyTable.keys[index]
            let openings = key.pattern.segments.count { if case .open = $0 { true } else { false } }
            if openings == 0 { keys.insert(.init(key: index, names: [])) }
            guard openings == 1, case .fixed = key.pattern.segments.last else { continue }
            for instance in layers.instances.keys where instance.collection == key.collection {
                keys.insert(.init(key: index, names: [instance.name]))
            }
        }
        return Array(keys)
    }

    /// Keys that end in a name of the user's choosing, for the members that the layers below have given, with the name
    /// that `text` ends in: `upstreams.tv.headers.X` for `upstreams.tv.header.X`.
    private func entryKeys(like text: String) -> [String] {
        let name = text.split(separator: ".").last.map(String.init) ?? ""
        return KeyTable.keys.flatMap { key -> [String] in
            let names = key.pattern.segments.count { if case .open = $0 { true } else { false } }
            guard names == 2, case .open = key.pattern.segments.last else { return [] }
            return layers.instances.keys.filter { $0.collection == key.collection }.map {
                key.pattern.key([$0.name, name])
            }
        }
    }

    private static func key(_ text: String) -> Setting.ID? {
        for index in KeyTable.keys.indices {
            if let names = KeyTable.keys[index].pattern.names(in: text) {
                return .init(key: index, names: names)
            }
        }
        return nil
    }

    private static func problem(withNamesOf id: Setting.ID) -> String? {
        var names = id.names[...]
        for case .open(let kind) in id.definition.pattern.segments {
            if let name = names.popFirst(), let problem = kind.problem(with: name) { return problem }
        }
        return nil
    }
}

/// One `key=value` from the command line.
package struct Override: Sendable, Equatable {
    package var key: String
    package var value: String
    /// The option it came with, for origins and faults.
    package var option: String

    package init(key: String, value: String, option: String = "--set") {
        self.key = key
        self.value = value
        self.option = option
    }
}
