/// Finds out what each option means: which field of which options message, and whether its value fits.
///
///     option (portico.v1.upstream).paging.next = "next";
///
/// `(portico.v1.upstream)` is an extension of google.protobuf.MethodOptions, found like any name; `paging` is a field of
/// its message, `next` one of Paging's, and a string. Values are typed in OptionInterpreter+Values.swift.
struct OptionInterpreter {
    let symbols: SymbolTable
    let types: TypeTable
    var files: [FileNode]
    var faults: FaultList
    /// Where the options being read stand.
    var file = 0
    var scope = ""

    init(_ linker: Linker) {
        symbols = linker.symbols
        types = TypeTable(linker)
        files = linker.files
        faults = linker.faults
    }

    /// A field that a part of an option's name stands for.
    struct Target {
        var field: FieldNode
        /// The field's name, or the extension's full name.
        var name: String
    }

    mutating func interpretAll() {
        for index in files.indices {
            var node = files[index]
            (file, scope) = (index, node.package?.text ?? "")
            interpret(&node.options, as: "FileOptions")
            for at in node.messages.indices { interpret(&node.messages[at]) }
            for at in node.enums.indices { interpret(&node.enums[at]) }
            for at in node.extensions.indices { interpret(&node.extensions[at]) }
            for at in node.services.indices { interpret(&node.services[at]) }
            files[index] = node
        }
    }

    // MARK: Declarations

    /// Recursion ends at ``SchemaLimits/messageDepth``.
    private mutating func interpret(_ message: inout MessageNode) {
        let outer = scope
        interpret(&message.options, as: "MessageOptions")
        if let entry = message.options.message.entry("map_entry") {
            faults.add(entry.location, "map_entry cannot be set; declare the field as map<…>")
        }
        scope = message.fullName
        for at in message.fields.indices { interpret(&message.fields[at]) }
        for at in message.oneofs.indices { interpret(&message.oneofs[at].options, as: "OneofOptions") }
        for at in message.extensions.indices { interpret(&message.extensions[at]) }
        for at in message.messages.indices { interpret(&message.messages[at]) }
        for at in message.enums.indices { interpret(&message.enums[at]) }
        scope = outer
    }

    private mutating func interpret(_ field: inout FieldNode) {
        interpret(&field.options, as: "FieldOptions")
        if let path = field.options.message.entry("portico.v1.path")?.values.first,
            case .text(let text) = path.form,
            text.isEmpty || text.split(separator: ".", omittingEmptySubsequences: false).contains("")
        {
            faults.add(path.location, "a path is made of names with \".\" between them: \"data.items\"")
        }
        checkFieldRules(of: field)
        guard let packed = field.options.message.entry("packed"), case .varint(1) = packed.values.first?.form
        else { return }
        if field.label != .repeated || field.kind?.isPackable == false {
            faults.add(packed.location, "only a repeated field of numbers, bools or enums can be packed")
        }
    }

    private mutating func interpret(_ node: inout EnumNode) {
        interpret(&node.options, as: "EnumOptions")
        for at in node.values.indices { interpret(&node.values[at].options, as: "EnumValueOptions") }
        checkSpellings(of: node)
    }

    /// No two values may be read from the same text.
    private mutating func checkSpellings(of node: EnumNode) {
        var known = Dictionary(
            node.values.map { ($0.name.text, $0.number) }, uniquingKeysWith: { first, _ in first })
        for value in node.values {
            guard let json = value.options.message.entry("portico.v1.json")?.values.first,
                case .text(let text) = json.form
            else { continue }
            if let other = known[text], other != value.number {
                faults.add(json.location, "\"\(text)\" is the spelling of two values")
            }
            known[text] = value.number
        }
    }

    private mutating func interpret(_ service: inout ServiceNode) {
        let outer = scope
        interpret(&service.options, as: "ServiceOptions")
        scope = Linker.join(scope, service.name.text)
        for at in service.methods.indices { interpret(&service.methods[at].options, as: "MethodOptions") }
        scope = outer
    }

    private mutating func interpret(_ node: inout OptionsNode, as type: String) {
        guard !node.statements.isEmpty else { return }
        let faultsBefore = faults.faults.count
        for statement in node.statements {
            guard let path = targets(of: statement, in: "google.protobuf." + type),
                let values = values(for: path[path.count - 1], statement.value, isInMessage: false)
            else { continue }
            let location = statement.parts[0].name.location
            insert(values, at: path[...], into: &node.message, title: statement.title, location: location)
        }
        node.bytes = node.message.encoded
        node.isFaulty = faults.faults.count > faultsBefore
    }

    // MARK: Names

    /// The fields that the parts of the name lead through; nil after a fault.
    private mutating func targets(of statement: OptionStatement, in type: String) -> [Target]? {
        guard statement.parts.count <= SchemaLimits.optionDepth else {
            faults.add(
                statement.parts[0].name.location,
                "the option's name has more than \(SchemaLimits.optionDepth) parts")
            return nil
        }
        var type = type
        var path: [Target] = []
        for (index, part) in statement.parts.enumerated() {
            guard let target = target(part.name, isExtension: part.isExtension, in: type) else { return nil }
            path.append(target)
            if index == statement.parts.count - 1 { break }
            guard target.field.kind == .message, target.field.label != .repeated,
                let next = target.field.typeName
            else {
                faults.add(
                    part.name.location,
                    "\"\(target.name)\" is no single message; nothing can be set inside it")
                return nil
            }
            type = next.text
        }
        return path
    }

    /// The field or extension that a name means inside a message type; nil after a fault.
    /// - Parameter extensionScope: where an extension's name is looked for; nil: where the option stands.
    mutating func target(
        _ name: Name, isExtension: Bool, in type: String, extensionScope scope: String? = nil
    ) -> Target? {
        if isExtension { return extensionTarget(name, of: type, scope: scope ?? self.scope) }
        guard let message = types.messages[type] else { return nil }
        if let field = message.fields.first(where: { $0.name.text == name.text }),
            name.text != "uninterpreted_option"
        {
            return Target(field: field, name: name.text)
        }
        let hint = faults.suggestion(for: name.text, among: message.fields.map(\.name.text))
        faults.add(name.location, "\(type) has no field \"\(name.text)\"\(hint)")
        return nil
    }

    private mutating func extensionTarget(_ name: Name, of type: String, scope: String) -> Target? {
        switch symbols.resolve(name.text, scope: scope, file: file, accepts: { _ in true }) {
        case .found(let fullName, let symbol):
            guard symbol.kind == .extension, let field = types.extensions[fullName] else {
                faults.add(name.location, "\"\(name.text)\" is not an option")
                return nil
            }
            if field.extendee?.text == type { return Target(field: field, name: fullName) }
            let owner = field.extendee?.text ?? ""
            faults.add(name.location, "\"\(fullName)\" is an option of \(owner), not of \(type)")
        case .hidden(let fullName, let symbol):
            let path = files[symbol.file].path
            faults.add(
                name.location, "\"\(fullName)\" is defined in \(path), which this file does not import")
        case .shadowed, .missing:
            let package = files[file].package?.text ?? ""
            let names = symbols.names(of: [.extension], seenFrom: file, package: package)
            let hint = faults.suggestion(for: name.text, among: names)
            faults.add(name.location, "there is no option \"\(name.text)\"\(hint)")
        }
        return nil
    }

    // MARK: Setting

    /// Puts values at the end of a path of single messages. Recursion ends with the path.
    mutating func insert(
        _ values: [OptionValue], at path: ArraySlice<Target>, into message: inout OptionMessage,
        title: String,
        location: SourceLocation
    ) {
        guard let target = path.first else { return }
        let known = message.entries.firstIndex { $0.number == target.field.number }
        if path.count > 1 {
            var inner = OptionMessage()
            if let known, case .message(let found) = message.entries[known].values.first?.form {
                inner = found
            }
            insert(values, at: path.dropFirst(), into: &inner, title: title, location: location)
            let value = OptionValue(form: .message(inner), location: location)
            if let known {
                message.entries[known].values = [value]
            } else {
                append([value], target, to: &message, location)
            }
        } else if let known {
            guard target.field.label == .repeated else {
                return faults.add(location, "\"\(title)\" is set twice")
            }
            message.entries[known].values += values
        } else {
            checkOneof(of: target, in: message, location)
            append(values, target, to: &message, location)
        }
    }

    private func append(
        _ values: [OptionValue], _ target: Target, to message: inout OptionMessage, _ location: SourceLocation
    ) {
        message.entries.append(
            .init(
                number: target.field.number, name: target.name, values: values, location: location,
                oneof: target.field.oneof))
    }

    private mutating func checkOneof(of target: Target, in message: OptionMessage, _ location: SourceLocation)
    {
        guard let oneof = target.field.oneof, let other = message.entries.first(where: { $0.oneof == oneof })
        else { return }
        faults.add(location, "\"\(target.name)\" and \"\(other.name)\" exclude each other")
    }
}
