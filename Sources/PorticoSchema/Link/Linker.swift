/// Joins the trees of all files: imports, names, types, and protobuf's rules for them.
///
///     a.proto: import "b.proto"; message A { B b = 1; }
///     b.proto: message B {}
///
/// The order becomes b, a; field `b` gets the kind `message` and the type name `B`.
struct Linker {
    /// As given, the built-in ones behind them.
    var files: [FileNode]
    var symbols = SymbolTable()
    var faults: FaultList
    /// Indices of ``files`` such that each one stands behind those it imports.
    private(set) var order: [Int] = []
    private var indexByPath: [String: Int] = [:]

    init(files: [FileNode], faults: FaultList) {
        self.files = files
        self.faults = faults
    }

    mutating func link() {
        indexFiles()
        resolveImports()
        for index in files.indices { declare(file: index) }
        for index in order { resolveTypes(file: index) }
        for index in files.indices { checkRules(file: index) }
        checkExtensions()
    }

    private mutating func indexFiles() {
        for (index, file) in files.enumerated() {
            if indexByPath[file.path] == nil {
                indexByPath[file.path] = index
            } else {
                faults.add(file.location, "the file is given twice")
            }
        }
    }

    // MARK: Imports

    private mutating func resolveImports() {
        var targets = [[Int]](repeating: [], count: files.count)
        var publicTargets = targets
        for (index, file) in files.enumerated() {
            var seen: Set<String> = []
            for node in file.imports {
                guard seen.insert(node.path.text).inserted else {
                    faults.add(node.path.location, "\"\(node.path.text)\" is imported twice")
                    continue
                }
                guard let target = target(of: node, from: index) else { continue }
                targets[index].append(target)
                if node.kind == .public { publicTargets[index].append(target) }
            }
        }
        symbols.visibleFiles = files.indices.map { visibleFiles(from: $0, targets, publicTargets) }
        sortByImports(targets)
    }

    private mutating func target(of node: ImportNode, from index: Int) -> Int? {
        if let target = indexByPath[node.path.text] { return target }
        let hint = faults.suggestion(for: node.path.text, among: indexByPath.keys)
        faults.add(node.path.location, "there is no file \"\(node.path.text)\" to import\(hint)")
        files[index].isDamaged = true
        return nil
    }

    /// The file, its imports, and from those on the public ones.
    private func visibleFiles(from index: Int, _ targets: [[Int]], _ publicTargets: [[Int]]) -> Set<Int> {
        var seen: Set = [index]
        var waiting = targets[index]
        while let next = waiting.popLast() {
            if seen.insert(next).inserted { waiting += publicTargets[next] }
        }
        return seen
    }

    /// Depth first, with a stack of its own: a chain of imports may be as long as there are files.
    private mutating func sortByImports(_ targets: [[Int]]) {
        enum Mark { case untouched, open, done }
        var marks = [Mark](repeating: .untouched, count: files.count)
        for root in files.indices where marks[root] == .untouched {
            var stack = [(file: root, next: 0)]
            marks[root] = .open
            while let (file, next) = stack.last {
                guard next < targets[file].count else {
                    marks[file] = .done
                    order.append(file)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let target = targets[file][next]
                switch marks[target] {
                case .untouched:
                    marks[target] = .open
                    stack.append((target, 0))
                case .open:
                    reportCycle(through: stack.map(\.file), backTo: target)
                case .done:
                    break
                }
            }
        }
    }

    private mutating func reportCycle(through path: [Int], backTo target: Int) {
        let start = path.firstIndex(of: target) ?? 0
        let names = (path[start...] + [target]).map { files[$0].path }
        let last = files[path[path.count - 1]]
        let place = last.imports.first { $0.path.text == files[target].path }?.path.location
        faults.add(place ?? last.location, "the files import each other: \(names.joined(separator: " → "))")
    }

    // MARK: Extensions

    /// Numbers of extensions are unique for each extended message, over all files.
    private mutating func checkExtensions() {
        var known: [String: SourceLocation] = [:]
        for index in order {
            var fields = files[index].extensions
            forEachMessage(of: files[index]) { fields += $0.extensions }
            for field in fields {
                guard let extendee = field.extendee else { continue }
                let key = "\(extendee.text) \(field.number)"
                if let first = known[key] {
                    faults.add(
                        field.numberLocation,
                        "number \(field.number) of \"\(extendee.text)\" is taken by the extension at \(first)"
                    )
                } else {
                    known[key] = field.numberLocation
                }
            }
        }
    }

    /// All messages of a file, nested ones too, outer ones first.
    func forEachMessage(of file: FileNode, _ body: (MessageNode) -> Void) {
        var waiting = Array(file.messages.reversed())
        while let message = waiting.popLast() {
            body(message)
            waiting += message.messages.reversed()
        }
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `file:line:column`
    package var description: String { "\(file):\(line):\(column)" }
}
