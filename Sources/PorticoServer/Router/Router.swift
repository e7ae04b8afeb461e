import PorticoConfig
package import PorticoSchema
package import PorticoWire

/// Finds a method by the bytes of its route, without making a string of them: a hash table built once, probed in line.
package struct Router: Sendable {
    package struct Target: Sendable, Equatable {
        package let method: MethodID
        /// The server answers by itself, from `portico.v1.Control`.
        package let isBuiltIn: Bool
        /// Calling it changes something at its upstream.
        package let isWrite: Bool

        /// What a token must be for; nil: any token will do.
        var role: AccessToken.Role? { isBuiltIn ? nil : isWrite ? .write : .read }
    }

    private struct Entry: Sendable {
        let route: [UInt8]
        let target: Target
    }
    /// Empty places are nil; at least half are. The count is a power of two.
    private var table: [Entry?]
    private let names: [String]

    package init(_ schema: Schema) {
        names = schema.methods.map(\.route)
        var count = 8
        while count < schema.methods.count * 2 { count *= 2 }
        table = Array(repeating: nil, count: count)
        for (index, method) in schema.methods.enumerated() {
            let route = Array(method.route.utf8)
            let isBuiltIn = if case .builtIn = method.binding { true } else { false }
            table[place(of: route.span)] = Entry(
                route: route,
                target: Target(
                    method: MethodID(index), isBuiltIn: isBuiltIn, isWrite: method.binding.isWrite))
        }
    }

    package func target(of route: Span<UInt8>) -> Target? { table[place(of: route)]?.target }

    func route(of method: MethodID) -> String { names[method.index] }

    /// Where `route` is, or where it would go.
    private func place(of route: Span<UInt8>) -> Int {
        // FNV-1a: routes are short and come from the schema, so nobody can pile them up in one place.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in route.indices { hash = (hash ^ UInt64(route[index])) &* 0x100_0000_01b3 }
        var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & (table.count - 1)
        while let entry = table[place], !entry.route.span.isEqual(to: route) {
            place = (place + 1) & (table.count - 1)
        }
        return place
    }

    package enum Hint: Sendable {
        /// Every route is compared.
        case nearest
        case none
    }

    /// Why a route leads nowhere, in a sentence that names the nearest one there is, if it is to be looked for.
    package func unknown(_ route: Span<UInt8>, _ hint: Hint) -> CallError {
        guard let name = String(validating: route) else {
            return CallError(.invalidArgument, "the route is not UTF-8")
        }
        guard case .nearest = hint, let nearest = Spelling.nearest(to: name, among: names) else {
            return CallError(.unimplemented, "there is no method \(name)")
        }
        return CallError(.unimplemented, "there is no method \(name); the nearest is \(nearest)")
    }
}
