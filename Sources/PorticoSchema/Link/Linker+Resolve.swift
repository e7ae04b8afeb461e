/// Replaces the names that fields, methods and extensions were written with by full names.
extension Linker {
    mutating func resolveTypes(file index: Int) {
        var file = files[index]
        let scope = file.package?.text ?? ""
        for at in file.messages.indices { resolve(&file.messages[at], file: index) }
        for at in file.extensions.indices { resolve(&file.extensions[at], in: scope, file: index) }
        for service in file.services.indices {
            let inner = Self.join(scope, file.services[service].name.text)
            for method in file.services[service].methods.indices {
                resolveMessage(&file.services[service].methods[method].input, in: inner, file: index)
                resolveMessage(&file.services[service].methods[method].output, in: inner, file: index)
            }
        }
        file.isDamaged = file.isDamaged || files[index].isDamaged
        files[index] = file
    }

    /// Recursion ends at ``SchemaLimits/messageDepth``.
    private mutating func resolve(_ message: inout MessageNode, file: Int) {
        let scope = message.fullName
        for at in message.fields.indices { resolve(&message.fields[at], in: scope, file: file) }
        for at in message.extensions.indices { resolve(&message.extensions[at], in: scope, file: file) }
        for at in message.messages.indices { resolve(&message.messages[at], file: file) }
    }

    private mutating func resolve(_ field: inout FieldNode, in scope: String, file: Int) {
        if let extendee = field.extendee {
            var name = extendee
            resolveMessage(&name, in: scope, file: file)
            field.extendee = name
        }
        guard let type = field.typeName else { return }
        let resolution = symbols.resolve(type.text, scope: scope, file: file) { $0.isType }
        guard
            let (fullName, symbol) = found(
                resolution, type, wanted: "a type", [.message, .enumeration], file)
        else { return }
        field.typeName?.text = fullName
        switch symbol.kind {
        case .message: field.kind = .message
        case .enumeration:
            field.kind = .enumeration
            if files[file].isProto3, !files[symbol.file].isProto3 {
                faults.add(type.location, "\"\(fullName)\" is no proto3 enum and cannot be used in proto3")
            }
        case .package, .enumValue, .field, .oneof, .extension, .service, .method:
            faults.add(type.location, "\"\(type.text)\" is not a type")
            files[file].isDamaged = true
        }
    }

    private mutating func resolveMessage(_ name: inout Name, in scope: String, file: Int) {
        let resolution = symbols.resolve(name.text, scope: scope, file: file) { _ in true }
        guard let (fullName, symbol) = found(resolution, name, wanted: "a message", [.message], file) else {
            return
        }
        guard symbol.kind == .message else {
            faults.add(name.location, "\"\(name.text)\" is not a message")
            files[file].isDamaged = true
            return
        }
        name.text = fullName
    }

    /// The symbol; nil after a fault about why it cannot be used.
    private mutating func found(
        _ resolution: SymbolTable.Resolution, _ name: Name, wanted: String, _ kinds: [SymbolTable.Kind],
        _ file: Int
    ) -> (String, SymbolTable.Symbol)? {
        switch resolution {
        case .found(let fullName, let symbol):
            return (fullName, symbol)
        case .hidden(let fullName, let symbol):
            let path = files[symbol.file].path
            faults.add(
                name.location, "\"\(fullName)\" is defined in \(path), which this file does not import")
        case .shadowed(let fullName):
            faults.add(
                name.location,
                "\"\(name.text)\" is looked for as \"\(fullName)\", which does not exist; begin it with \".\" "
                    + "to name it from the outermost scope")
        case .missing:
            let package = files[file].package?.text ?? ""
            let names = symbols.names(of: kinds, seenFrom: file, package: package)
            let hint = faults.suggestion(for: name.text, among: names)
            faults.add(name.location, "\"\(name.text)\" is not \(wanted)\(hint)")
        }
        files[file].isDamaged = true
        return nil
    }
}
