@testable import PorticoConfig

/// Four values for any key, and the files that give them: one for each layer.
struct KeySample {
    let key: String
    let names: [String]
    let definition: ConfigurationKey
    /// As text, then as JSON.
    let values: [(text: String, json: String)]

    private static let nameSamples = [
        "NAME": "tv", "ROUTE": "a.v1.B/C", "FLAG": "f", "ITEM": "q", "FIELD": "h",
    ]

    /// Nil: a kind that this does not know.
    init?(_ definition: ConfigurationKey) {
        self.definition = definition
        names = definition.pattern.segments.compactMap { segment in
            if case .open(let kind) = segment { Self.nameSamples[kind.rawValue] } else { nil }
        }
        key = definition.pattern.key(names)
        guard let values = Self.values(definition) else { return nil }
        self.values = values
    }

    private static func values(_ key: ConfigurationKey) -> [(text: String, json: String)]? {
        func quoted(_ texts: [String]) -> [(text: String, json: String)] { texts.map { ($0, "\"\($0)\"") } }
        func plain(_ texts: [String]) -> [(text: String, json: String)] { texts.map { ($0, $0) } }
        let kind = key.kindName
        if key.pattern.text.hasSuffix("By") { return quoted(switches(key.pattern.text)) }
        if kind.hasPrefix("true or false") { return plain(["true", "false", "true", "false"]) }
        if kind.hasPrefix("integer") { return plain(["11", "12", "13", "14"]) }
        if kind.hasPrefix("size") { return quoted(["20KiB", "21KiB", "22KiB", "23KiB"]) }
        if kind.hasPrefix("duration") { return quoted(["1100ms", "1200ms", "1300ms", "1400ms"]) }
        if kind.hasPrefix("one of") {
            let choices = kind.dropFirst("one of ".count).split(separator: ", ").map(String.init)
            return quoted((0..<4).map { choices[$0 % choices.count] })
        }
        if kind.hasPrefix("HOST:PORT") {
            return quoted(["127.0.0.1:21", "127.0.0.1:22", "127.0.0.1:23", "127.0.0.1:24"])
        }
        if kind.hasPrefix("directory") { return quoted(["/a", "/b", "/c", "/d"]) }
        if kind.hasPrefix("URL") { return quoted(["https://a/", "https://b/", "http://c/", "http://d/"]) }
        if kind.hasPrefix("text") { return quoted(["t1", "t2", "t3", "t4"]) }
        if kind.hasPrefix("list of texts") { return ["t1", "t2", "t3", "t4"].map { ($0, "[\"\($0)\"]") } }
        if kind.hasPrefix("ENABLED") { return quoted(["DISABLED", "ENABLED", "DISABLED", "ENABLED"]) }
        if kind.hasPrefix("object of values") {
            return plain((1...4).map { #"{"on": true, "off": false, "v\#($0)": true}"# })
        }
        if kind.hasPrefix("name of a variant") { return quoted(["off", "on", "off", "on"]) }
        if kind.hasPrefix("JsonLogic") {
            return plain((1...4).map { #"{"if": [{"==": [{"var": "platform"}, "p\#($0)"]}, "on"]}"# })
        }
        return nil
    }

    private static func switches(_ pattern: String) -> [String] {
        let kind = pattern.hasSuffix("enabledBy") ? "s" : pattern.hasSuffix("freshBy") ? "t" : "m"
        return (1...4).map { "\(kind)\($0)" }
    }

    /// What the key needs beside it, but for the key itself.
    private static let surroundings: [(key: String, json: String)] = {
        let flags = (1...4).flatMap { number in
            [("s", "true"), ("t", "\"1s\""), ("m", "\"strict\"")].flatMap { kind, value in
                [
                    ("flags.\(kind)\(number).variants", #"{"v": \#(value)}"#),
                    ("flags.\(kind)\(number).defaultVariant", "\"v\""),
                ]
            }
        }
        return flags + [
            ("upstreams.tv.baseURL", "\"https://base/\""),
            ("flags.f.variants", #"{"on": true, "off": false}"#),
            ("flags.f.defaultVariant", "\"on\""),
        ]
    }()

    /// An environment that gives the key its value of that number.
    func file(_ number: Int, extending base: String? = nil) -> String {
        text([(key, values[number].json)], extending: base)
    }

    /// One that does not give it.
    func fileWithout(extending base: String? = nil) -> String { text([], extending: base) }

    private func text(_ own: [(key: String, json: String)], extending base: String?) -> String {
        var root = Node()
        let needed = base == nil ? Self.surroundings.filter { $0.key != key } : []
        for (key, json) in needed + own { root.put(path(of: key)[...], json) }
        if let base { root.put(["extends"], "\"\(base)\"") }
        return root.json
    }

    private func path(of key: String) -> [String] {
        for definition in KeyTable.keys {
            guard var names = definition.pattern.names(in: key)?[...] else { continue }
            return definition.pattern.segments.map { segment in
                switch segment {
                case .fixed(let name): name
                case .open: names.removeFirst()
                }
            }
        }
        return [key]
    }

    private struct Node {
        var members: [(name: String, node: Node)] = []
        var value: String?

        mutating func put(_ path: ArraySlice<String>, _ json: String) {
            guard let name = path.first else { return value = json }
            if !members.contains(where: { $0.name == name }) { members.append((name, Node())) }
            let index = members.firstIndex { $0.name == name } ?? 0
            members[index].node.put(path.dropFirst(), json)
        }

        var json: String {
            value ?? "{\(members.map { "\"\($0.name)\": \($0.node.json)" }.joined(separator: ", "))}"
        }
    }
}
