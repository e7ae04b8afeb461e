import PorticoTranscode

/// The JSON Schema (draft 7) of environment files, made from the table of keys: what an editor completes and checks.
///
/// It knows no bounds of sizes and durations and nothing that only a whole environment shows; `portico check` does.
package enum EnvironmentSchema {
    /// As `Environments/environment.schema.json` holds it, compact.
    package static var text: String { document.compactText }

    static var document: JSONValue {
        var root = object(.root)
        root.insert(.init("$schema", .string("http://json-schema.org/draft-07/schema#")), at: 0)
        root.insert(.init("title", .string("An environment of Portico")), at: 1)
        return .object(root)
    }

    /// The members that describe an object of keys.
    private static func object(_ tree: KeyTree) -> [JSONValue.Member] {
        var properties = tree.children.sorted { order($0.value) < order($1.value) }.map { name, child in
            JSONValue.Member(name, schema(of: child))
        }
        if tree.isRoot { properties = namesOfFiles + properties }
        var members = [JSONValue.Member("type", .string("object"))]
        if !properties.isEmpty { members.append(.init("properties", .object(properties))) }
        let others = tree.open.first.map { schema(of: $0.tree) }
        members.append(.init("additionalProperties", others ?? .bool(false)))
        return members
    }

    private static func schema(of tree: KeyTree) -> JSONValue {
        guard let key = tree.key.map({ KeyTable.keys[$0] }) else { return .object(object(tree)) }
        guard case .object(let shape) = key.shape.schema else { return .object([]) }
        return .object([.init("description", .string(description(of: key)))] + shape)
    }

    private static func description(of key: ConfigurationKey) -> String {
        let given = key.defaultText.map { "default \($0)" } ?? "required"
        return "\(key.documentation) (\(key.kindName); \(given); reload: \(key.reload.rawValue))"
    }

    /// The first key below a tree: properties stand in the order of the documentation.
    private static func order(_ tree: KeyTree) -> Int {
        let below = tree.children.values.map(order) + tree.open.map { order($0.tree) }
        return min(tree.key ?? .max, below.min() ?? .max)
    }

    private static let namesOfFiles: [JSONValue.Member] = [
        .init(
            EnvironmentFiles.schemaKey,
            .object([
                .init("description", .string("This schema, for editors.")), .init("type", .string("string")),
            ])),
        .init(
            EnvironmentFiles.extendsKey,
            .object([
                .init("description", .string("The environment that this one changes.")),
                .init("type", .string("string")),
            ])),
    ]
}

extension KeyTree {
    fileprivate var isRoot: Bool { children["listen"] != nil }
}
