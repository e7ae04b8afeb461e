/// The keys by their segments: what an environment file's objects are walked along.
struct KeyTree: Sendable {
    static let root = KeyTree(KeyTable.keys.indices.map { ($0, KeyTable.keys[$0].pattern.segments[...]) })

    /// Members of fixed name.
    let children: [String: KeyTree]
    /// Members whose names the file chooses; at most one.
    let open: [(kind: NameKind, tree: KeyTree)]
    /// Index into ``KeyTable/keys``; nil: an object of keys.
    let key: Int?

    private init(_ keys: [(index: Int, rest: ArraySlice<KeyPattern.Segment>)]) {
        var fixed: [String: [(Int, ArraySlice<KeyPattern.Segment>)]] = [:]
        var named: [NameKind: [(Int, ArraySlice<KeyPattern.Segment>)]] = [:]
        for (index, rest) in keys {
            switch rest.first {
            case .fixed(let name): fixed[name, default: []].append((index, rest.dropFirst()))
            case .open(let kind): named[kind, default: []].append((index, rest.dropFirst()))
            case nil: break
            }
        }
        key = keys.first { $0.rest.isEmpty }?.index
        children = fixed.mapValues { KeyTree($0) }
        open = named.map { ($0.key, KeyTree($0.value)) }
        precondition(open.count <= 1, "two kinds of open names side by side: a mistake in the table of keys")
    }
}
