import PorticoSchema

/// A value that a layer gives to a key.
struct Setting: Sendable {
    struct ID: Hashable, Sendable {
        /// Index into ``KeyTable/keys``.
        let key: Int
        /// In place of the pattern's open segments.
        let names: [String]

        var definition: ConfigurationKey { KeyTable.keys[key] }
        /// `upstreams.tv.timeout`
        var text: String { definition.pattern.key(names) }
    }

    let id: ID
    var raw: RawValue
    var origin: Origin

    /// Where a fault of this value is reported.
    var place: ConfigurationFault.Place {
        switch origin {
        case .file(let location), .secret(_, let location): .file(location)
        case .variable(let name): .variable(name)
        case .option(let option): .option("\(option) \(id.text)")
        case .builtIn: .environment("default")
        }
    }
}

extension Setting {
    /// What a fault's message begins with: the key, unless its ``place`` names it already.
    var subject: String {
        if case .option = origin { "" } else { "\(id.text): " }
    }
}

/// An object whose name a file chose: `upstreams.tv`.
struct Instance: Hashable, Sendable {
    /// `upstreams`
    let collection: String
    let name: String

    var text: String { "\(collection).\(name)" }
}

/// What the layers say so far.
struct Layers: Sendable {
    /// The last layer that names a key wins.
    var settings: [Setting.ID: Setting] = [:]
    /// Values from files that a later layer replaced.
    var replaced: [Setting] = []
    /// Where each was first mentioned.
    var instances: [Instance: ConfigurationFault.Place] = [:]
    var faults: [ConfigurationFault] = []
    /// Keys that were suggested in place of a misspelt one: not missed again.
    var suggested: Set<String> = []

    mutating func add(_ setting: Setting) {
        if let former = settings.updateValue(setting, forKey: setting.id) { replaced.append(former) }
        if let instance = setting.id.instance, instances[instance] == nil {
            instances[instance] = setting.place
        }
    }
}

extension Setting.ID {
    /// The named object that the key belongs to; nil: none, or the key itself is the entry.
    var instance: Instance? {
        let segments = definition.pattern.segments
        guard let index = segments.firstIndex(where: { if case .open = $0 { true } else { false } }),
            index < segments.count - 1
        else { return nil }
        return Instance(collection: definition.collection ?? "", name: names[0])
    }
}

extension ConfigurationKey {
    /// The fixed segments before the first open one; nil: all are fixed.
    var collection: String? {
        var fixed: [String] = []
        for segment in pattern.segments {
            switch segment {
            case .fixed(let name): fixed.append(name)
            case .open: return fixed.joined(separator: ".")
            }
        }
        return nil
    }
}
