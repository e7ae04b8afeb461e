/// Every name that the files declare, and the rules by which one is found from where it is used.
///
///     package a.b;                      Inside message Outer, `C` is looked for as a.b.Outer.C, a.b.C, a.C, C.
///     message Outer { C c = 1; }        For `D.E` the innermost scope that knows `D` decides, and must know `D.E`.
///     message C {}                      `.a.b.C` is the full name and is looked for nowhere else.
///
/// Only what the file itself, its imports and their public imports declare is seen (protobuf language guide,
/// "Packages and Name Resolution").
struct SymbolTable {
    enum Kind: Equatable {
        case package, message, enumeration, enumValue, field, oneof, `extension`, service, method

        var isType: Bool { self == .message || self == .enumeration }

        /// Names can lie inside it.
        var isScope: Bool { isType || self == .package || self == .service }
    }

    struct Symbol {
        var kind: Kind
        var file: Int
        var location: SourceLocation
    }

    enum Resolution {
        case found(String, Symbol)
        /// Declared in a file that is not imported.
        case hidden(String, Symbol)
        /// An inner scope has the first part of the name, but not the rest.
        case shadowed(String)
        case missing
    }

    private(set) var symbols: [String: Symbol] = [:]
    /// The files that declare something in a package or below it.
    private var packageFiles: [String: Set<Int>] = [:]
    /// For each file, itself and what it imports.
    var visibleFiles: [Set<Int>] = []

    /// - Returns: the symbol that has the name already.
    mutating func declare(_ fullName: String, _ symbol: Symbol) -> Symbol? {
        if let known = symbols[fullName] { return known }
        symbols[fullName] = symbol
        return nil
    }

    /// Declares `a`, `a.b` and `a.b.c` for the package `a.b.c`.
    /// - Returns: a symbol of another kind that has one of these names, with that name.
    mutating func declarePackage(_ package: Name, file: Int) -> (name: String, symbol: Symbol)? {
        var fullName = ""
        for part in package.text.split(separator: ".") {
            fullName += fullName.isEmpty ? String(part) : "." + part
            packageFiles[fullName, default: []].insert(file)
            let symbol = Symbol(kind: .package, file: file, location: package.location)
            if let known = declare(fullName, symbol), known.kind != .package { return (fullName, known) }
        }
        return nil
    }

    /// - Parameters:
    ///   - name: as written.
    ///   - scope: full name of the innermost scope; empty: the top.
    ///   - typesOnly: other kinds do not end the search (a field's type); else the first of the name does.
    func resolve(_ name: String, scope: String, file: Int, accepts: (Kind) -> Bool) -> Resolution {
        let seen = visibleFiles[file]
        let found = search(name, scope: scope, accepts: accepts) { isVisible($0, $1, in: seen) }
        if case .found = found { return found }
        guard
            case .found(let fullName, let symbol) = search(
                name, scope: scope, accepts: accepts, sees: { _, _ in true })
        else { return found }
        return .hidden(fullName, symbol)
    }

    private func isVisible(_ fullName: String, _ symbol: Symbol, in files: Set<Int>) -> Bool {
        guard symbol.kind == .package else { return files.contains(symbol.file) }
        return !files.isDisjoint(with: packageFiles[fullName] ?? [])
    }

    private func search(
        _ name: String, scope: String, accepts: (Kind) -> Bool, sees: (String, Symbol) -> Bool
    ) -> Resolution {
        func visible(_ fullName: String) -> Symbol? {
            guard let symbol = symbols[fullName], sees(fullName, symbol) else { return nil }
            return symbol
        }
        if name.hasPrefix(".") {
            let fullName = String(name.dropFirst())
            return visible(fullName).map { .found(fullName, $0) } ?? .missing
        }
        let first = name.prefix { $0 != "." }
        let rest = name.dropFirst(first.count)
        var scope = Substring(scope)
        while true {
            let candidate = scope.isEmpty ? String(first) : scope + "." + first
            if let symbol = visible(candidate) {
                if rest.isEmpty, accepts(symbol.kind) { return .found(candidate, symbol) }
                if !rest.isEmpty, symbol.kind.isScope {
                    let fullName = candidate + rest
                    return visible(fullName).map { .found(fullName, $0) } ?? .shadowed(fullName)
                }
            }
            if scope.isEmpty { return .missing }
            scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
        }
    }

    /// Names of a kind that a file can use: in full, and as the file's own package may write them.
    func names(of kinds: [Kind], seenFrom file: Int, package: String) -> [String] {
        var names: [String] = []
        for (fullName, symbol) in symbols
        where kinds.contains(symbol.kind) && visibleFiles[file].contains(symbol.file) {
            names.append(fullName)
            if fullName.hasPrefix(package + ".") {
                names.append(String(fullName.dropFirst(package.count + 1)))
            }
        }
        return names
    }
}
