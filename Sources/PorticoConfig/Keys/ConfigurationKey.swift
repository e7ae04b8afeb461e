/// One thing that can be configured. The table of them (``KeyTable``) is read by everything that knows keys: the
/// readers of files, variables and options, `portico config`, and the test of `Environments/README.md`.
struct ConfigurationKey: Sendable {
    /// Whether a running server can take a new value.
    enum Reload: String, Sendable {
        case applies
        /// Connections that are open keep what they began with.
        case newConnections = "applies to new connections"
        case needsRestart = "needs a restart"
    }

    let pattern: KeyPattern
    /// Type, unit and bounds, for people.
    let kindName: String
    let isSecret: Bool
    /// What its values look like in a file.
    let shape: ValueShape
    /// As `--set` would take it; nil: there is none, the key must be given.
    let defaultText: String?
    let documentation: String
    let reload: Reload
    /// Puts a value where it belongs. Names stand for the pattern's open segments.
    let write: @Sendable (RawValue, [String], inout Configuration) throws(Refusal) -> Void
    /// The value in force; nil: nothing has these names.
    let show: @Sendable (Configuration, [String]) -> String?
    /// The names for which there is a value in force, sorted; one empty list for a key without open segments.
    let names: @Sendable (Configuration) -> [[String]]
    /// Whether two configurations have the same value, secrets compared as they are.
    let isSame: @Sendable (Configuration, Configuration, [String]) -> Bool
    /// Takes the value over from the first into the second; nil: the key belongs to something named.
    var keep: (@Sendable (Configuration, inout Configuration) -> Void)?

    /// A key of the configuration itself.
    static func value<Value: Sendable & Equatable>(
        _ pattern: String, _ kind: ValueKind<Value>,
        _ path: any WritableKeyPath<Configuration, Value> & Sendable,
        reload: Reload = .applies, _ documentation: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            pattern: KeyPattern(pattern), kindName: kind.name, isSecret: kind.isSecret, shape: kind.shape,
            defaultText: kind.show(Configuration(environment: "")[keyPath: path]),
            documentation: documentation, reload: reload,
            write: { raw, _, configuration throws(Refusal) in
                configuration[keyPath: path] = try kind.read(raw)
            },
            show: { configuration, _ in kind.show(configuration[keyPath: path]) },
            names: { _ in [[]] },
            isSame: { one, other, _ in one[keyPath: path] == other[keyPath: path] },
            keep: { from, into in into[keyPath: path] = from[keyPath: path] })
    }

    /// A key of each member of a collection.
    static func member<Element: NamedElement, Value: Sendable & Equatable>(
        _ pattern: String, _ kind: ValueKind<Value>,
        _ path: any WritableKeyPath<Element, Value> & Sendable, isRequired: Bool = false,
        _ documentation: String
    ) -> ConfigurationKey {
        let collection = Element.collection
        return ConfigurationKey(
            pattern: KeyPattern(pattern), kindName: kind.name, isSecret: kind.isSecret, shape: kind.shape,
            defaultText: isRequired ? nil : kind.show(Element.blank[keyPath: path]),
            documentation: documentation, reload: .applies,
            write: { raw, names, configuration throws(Refusal) in
                let value = try kind.read(raw)
                configuration[keyPath: collection][names[0], default: .blank][keyPath: path] = value
            },
            show: { configuration, names in
                configuration[keyPath: collection][names[0]].map { kind.show($0[keyPath: path]) }
            },
            names: { configuration in configuration[keyPath: collection].keys.sorted().map { [$0] } },
            isSame: { one, other, names in
                one[keyPath: collection][names[0]]?[keyPath: path]
                    == other[keyPath: collection][names[0]]?[keyPath: path]
            })
    }

    /// A key that is itself an entry of a dictionary in an upstream.
    static func entry<Value: Sendable & Equatable>(
        _ pattern: String, _ kind: ValueKind<Value>,
        _ path: any WritableKeyPath<Configuration.Upstream, [String: Value]> & Sendable,
        _ documentation: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            pattern: KeyPattern(pattern), kindName: kind.name, isSecret: kind.isSecret, shape: kind.shape,
            defaultText: "none",
            documentation: documentation, reload: .applies,
            write: { raw, names, configuration throws(Refusal) in
                let value = try kind.read(raw)
                configuration.upstreams[names[0], default: .blank][keyPath: path][names[1]] = value
            },
            show: { configuration, names in
                configuration.upstreams[names[0]]?[keyPath: path][names[1]].map(kind.show)
            },
            names: { configuration in
                configuration.upstreams.sorted { $0.key < $1.key }.flatMap { name, upstream in
                    upstream[keyPath: path].keys.sorted().map { [name, $0] }
                }
            },
            isSame: { one, other, names in
                one.upstreams[names[0]]?[keyPath: path][names[1]]
                    == other.upstreams[names[0]]?[keyPath: path][names[1]]
            })
    }

    /// A key that is itself an entry of a dictionary in the configuration.
    static func entry<Value: Sendable & Equatable>(
        _ pattern: String, _ kind: ValueKind<Value>,
        _ path: any WritableKeyPath<Configuration, [String: Value]> & Sendable, _ documentation: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            pattern: KeyPattern(pattern), kindName: kind.name, isSecret: kind.isSecret, shape: kind.shape,
            defaultText: "none",
            documentation: documentation, reload: .applies,
            write: { raw, names, configuration throws(Refusal) in
                configuration[keyPath: path][names[0]] = try kind.read(raw)
            },
            show: { configuration, names in configuration[keyPath: path][names[0]].map(kind.show) },
            names: { configuration in configuration[keyPath: path].keys.sorted().map { [$0] } },
            isSame: { one, other, names in one[keyPath: path][names[0]] == other[keyPath: path][names[0]] })
    }
}

/// What the files define by name. ``blank`` holds the defaults of its keys.
protocol NamedElement: Sendable {
    static var blank: Self { get }
    static var collection: any WritableKeyPath<Configuration, [String: Self]> & Sendable { get }
}

extension Configuration.Upstream: NamedElement {
    static var blank: Self { Self(baseURL: "") }
    static var collection: any WritableKeyPath<Configuration, [String: Self]> & Sendable { \.upstreams }
}

extension Configuration.MethodCache: NamedElement {
    static var blank: Self { Self() }
    static var collection: any WritableKeyPath<Configuration, [String: Self]> & Sendable { \.cache.methods }
}

extension Configuration.MethodFlags: NamedElement {
    static var blank: Self { Self() }
    static var collection: any WritableKeyPath<Configuration, [String: Self]> & Sendable { \.methods }
}

extension FlagDefinition: NamedElement {
    static var blank: Self { Self(isEnabled: true, variants: [:], defaultVariant: "") }
    static var collection: any WritableKeyPath<Configuration, [String: Self]> & Sendable { \.flags }
}
