import PorticoSchema
import PorticoTranscode

/// Reads one environment file's object along the tree of keys.
struct FileLayer {
    private(set) var layers: Layers

    init(over layers: Layers) { self.layers = layers }

    mutating func read(_ document: JSONDocument) {
        guard case .object(let members) = document.content else {
            return report(document, "an environment file holds an object, not \(document.kindName)")
        }
        for member in members {
            switch member.name {
            case EnvironmentFiles.extendsKey: break
            case EnvironmentFiles.schemaKey: checkSchema(member.value)
            default: read(member, in: .root, path: [], names: [])
            }
        }
    }

    /// For editors; nothing else looks at it.
    private mutating func checkSchema(_ value: JSONDocument) {
        if case .string = value.content { return }
        report(
            value,
            "\(EnvironmentFiles.schemaKey): expected the place of a JSON Schema, found \(value.kindName)")
    }

    private mutating func report(_ document: JSONDocument, _ message: String) {
        layers.faults.append(ConfigurationFault(.file(document.location), message))
    }

    private mutating func read(
        _ member: JSONDocument.Member, in tree: KeyTree, path: [String], names: [String]
    ) {
        let path = path + [member.name]
        if let child = tree.children[member.name] {
            return read(member.value, at: child, path: path, names: names)
        }
        guard let (kind, child) = tree.open.first else { return unknown(member, in: tree, path: path) }
        if let problem = kind.problem(with: member.name) {
            let fault = ConfigurationFault(
                .file(member.nameLocation), "\(path.joined(separator: ".")): \(problem)")
            return layers.faults.append(fault)
        }
        if child.key == nil {
            let instance = Instance(
                collection: path.dropLast().joined(separator: "."), name: member.name)
            if layers.instances[instance] == nil {
                layers.instances[instance] = .file(member.nameLocation)
            }
        }
        read(member.value, at: child, path: path, names: names + [member.name])
    }

    private mutating func read(_ value: JSONDocument, at tree: KeyTree, path: [String], names: [String]) {
        if let key = tree.key {
            let setting = Setting(
                id: .init(key: key, names: names), raw: RawValue(form: .document(value)),
                origin: .file(value.location))
            return layers.add(setting)
        }
        guard case .object(let members) = value.content else {
            return report(
                value, "\(path.joined(separator: ".")): expected an object, found \(value.kindName)")
        }
        for member in members { read(member, in: tree, path: path, names: names) }
    }

    private mutating func unknown(_ member: JSONDocument.Member, in tree: KeyTree, path: [String]) {
        var message = "\(path.joined(separator: ".")): no such key"
        if let suggestion = suggestion(for: member.name, in: tree, path: path) {
            layers.suggested.insert(suggestion)
            message += "; did you mean \(suggestion)?"
        }
        layers.faults.append(ConfigurationFault(.file(member.nameLocation), message))
    }

    /// The nearest spelling at this place, or the same name elsewhere.
    private func suggestion(for name: String, in tree: KeyTree, path: [String]) -> String? {
        let here = tree.children.keys.sorted() + (path.count == 1 ? [EnvironmentFiles.extendsKey] : [])
        if let nearest = Spelling.nearest(to: name, among: here) {
            return (path.dropLast() + [nearest]).joined(separator: ".")
        }
        let elsewhere = KeyTable.keys.first { key in
            guard case .fixed(let last) = key.pattern.segments.last else { return false }
            return last.lowercased() == name.lowercased()
        }
        return elsewhere?.pattern.text
    }
}
