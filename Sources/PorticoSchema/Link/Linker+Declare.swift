/// Enters every declared name into the symbol table and refuses those that are there already.
extension Linker {
    mutating func declare(file index: Int) {
        var file = files[index]
        if let package = file.package, let other = symbols.declarePackage(package, file: index) {
            faults.add(
                package.location,
                "the package \"\(other.name)\" has the name of something else, defined at \(other.symbol.location)"
            )
        }
        let scope = file.package?.text ?? ""
        for at in file.messages.indices { declare(&file.messages[at], in: scope, file: index) }
        for at in file.enums.indices { declare(&file.enums[at], in: scope, file: index) }
        for field in file.extensions { declare(field.name, .extension, in: scope, file: index) }
        for service in file.services {
            declare(service.name, .service, in: scope, file: index)
            let inner = Self.join(scope, service.name.text)
            for method in service.methods { declare(method.name, .method, in: inner, file: index) }
        }
        files[index] = file
    }

    /// Recursion ends at ``SchemaLimits/messageDepth``.
    private mutating func declare(_ message: inout MessageNode, in scope: String, file: Int) {
        message.fullName = Self.join(scope, message.name.text)
        declare(message.name, .message, in: scope, file: file)
        let inner = message.fullName
        for field in message.fields { declare(field.name, .field, in: inner, file: file) }
        for oneof in message.oneofs { declare(oneof.name, .oneof, in: inner, file: file) }
        for field in message.extensions { declare(field.name, .extension, in: inner, file: file) }
        for at in message.messages.indices { declare(&message.messages[at], in: inner, file: file) }
        for at in message.enums.indices { declare(&message.enums[at], in: inner, file: file) }
    }

    private mutating func declare(_ node: inout EnumNode, in scope: String, file: Int) {
        node.fullName = Self.join(scope, node.name.text)
        declare(node.name, .enumeration, in: scope, file: file)
        for value in node.values { declare(value.name, .enumValue, in: scope, file: file) }
    }

    private mutating func declare(_ name: Name, _ kind: SymbolTable.Kind, in scope: String, file: Int) {
        let symbol = SymbolTable.Symbol(kind: kind, file: file, location: name.location)
        guard let known = symbols.declare(Self.join(scope, name.text), symbol) else { return }
        let reason = kind == .enumValue ? ": an enum's values share the scope the enum stands in" : ""
        faults.add(name.location, "\"\(name.text)\" is already defined at \(known.location)\(reason)")
    }

    static func join(_ scope: String, _ name: String) -> String {
        scope.isEmpty ? name : "\(scope).\(name)"
    }
}
