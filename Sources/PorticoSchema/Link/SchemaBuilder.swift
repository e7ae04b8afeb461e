/// Turns linked trees into the model that the rest of Portico works with: names become indices.
///
///     message A { repeated B b = 2; }   →   messages[0].fields[0] = (name b, number 2, type .message(MessageID(1)), …)
///
/// Option numbers are those of Schemas/portico/v1/options.proto. They are read from the encoded options, which both a
/// parsed file and a decoded descriptor set have.
struct SchemaBuilder {
    private enum OptionNumber {
        static let packed = 2
        static let role = 51001
        static let path = 51002
        static let required = 51003
        static let rules = 51004
        static let json = 51001
    }

    /// A method with what its binding is made from.
    struct Method {
        var descriptor: MethodDescriptor
        var options: OptionMessage
        /// The package of its file.
        var package: String
        /// Its own file, or one that it sees, could not be read whole.
        var isDamaged: Bool
    }

    private(set) var messages: [MessageDescriptor] = []
    private(set) var enums: [EnumDescriptor] = []
    private(set) var methods: [Method] = []
    private var messageNodes: [MessageNode] = []
    private var messageIDs: [String: MessageID] = [:]
    private var enumIDs: [String: EnumID] = [:]

    init(_ linker: Linker, files: [FileNode]) {
        let ordered = linker.order.map { (index: $0, file: files[$0]) }
        for (_, file) in ordered { collect(file, linker) }
        for node in messageNodes { messages.append(descriptor(of: node)) }
        for (index, file) in ordered {
            let isDamaged = linker.symbols.visibleFiles[index].contains { linker.files[$0].isDamaged }
            for service in file.services { add(service, of: file, isDamaged: isDamaged) }
        }
    }

    private mutating func collect(_ file: FileNode, _ linker: Linker) {
        for node in file.enums { add(node) }
        var nodes: [MessageNode] = []
        linker.forEachMessage(of: file) { nodes.append($0) }
        for node in nodes where messageIDs[node.fullName] == nil {
            messageIDs[node.fullName] = MessageID(messageNodes.count)
            messageNodes.append(node)
            for inner in node.enums { add(inner) }
        }
    }

    private mutating func add(_ node: EnumNode) {
        guard enumIDs[node.fullName] == nil else { return }
        enumIDs[node.fullName] = EnumID(enums.count)
        let values = node.values.map { value in
            EnumValueDescriptor(
                name: value.name.text, number: value.number,
                json: OptionBytes(value.options.bytes).text(OptionNumber.json))
        }
        enums.append(EnumDescriptor(fullName: node.fullName, values: values, location: node.name.location))
    }

    // MARK: Messages

    private func descriptor(of node: MessageNode) -> MessageDescriptor {
        MessageDescriptor(
            fullName: node.fullName, fields: node.fields.compactMap { descriptor(of: $0, in: node) },
            oneofs: node.oneofs.filter { !$0.isSynthetic }.map(\.name.text), isMapEntry: node.isMapEntry,
            location: node.name.location)
    }

    /// Nil: its type was not found, which is a fault already.
    private func descriptor(of field: FieldNode, in message: MessageNode) -> FieldDescriptor? {
        guard let type = type(of: field) else { return nil }
        let options = OptionBytes(field.options.bytes)
        let isReal = field.oneof.map { !message.oneofs[$0].isSynthetic } ?? false
        // Synthetic oneofs follow the real ones in what we write; count only real ones before it all the same.
        let oneof = isReal ? field.oneof.map { message.oneofs[..<$0].count { !$0.isSynthetic } } : nil
        var descriptor = FieldDescriptor(
            name: field.name.text, jsonName: field.jsonName ?? JSONName.lowerCamelCase(field.name.text),
            number: field.number, type: type, cardinality: cardinality(of: field, options), oneof: oneof,
            path: options.text(OptionNumber.path).map { $0.split(separator: ".").map(String.init) } ?? [],
            role: role(options.integer(OptionNumber.role)), isRequired: options.bool(OptionNumber.required),
            location: field.name.location)
        descriptor.rules = options.message(OptionNumber.rules).map { FieldRules($0) }
        if descriptor.path.isEmpty, let given = field.jsonName { descriptor.bodyPath = [given] }
        return descriptor
    }

    private func type(of field: FieldNode) -> FieldType? {
        switch field.kind {
        case .double: .double
        case .float: .float
        case .int64: .int64
        case .uint64: .uint64
        case .int32: .int32
        case .fixed64: .fixed64
        case .fixed32: .fixed32
        case .bool: .bool
        case .string: .string
        case .bytes: .bytes
        case .uint32: .uint32
        case .sfixed32: .sfixed32
        case .sfixed64: .sfixed64
        case .sint32: .sint32
        case .sint64: .sint64
        case .message: field.typeName.flatMap { messageIDs[$0.text] }.map { .message($0) }
        case .enumeration: field.typeName.flatMap { enumIDs[$0.text] }.map { .enumeration($0) }
        case .group, nil: nil
        }
    }

    private func cardinality(of field: FieldNode, _ options: OptionBytes) -> FieldCardinality {
        switch field.label {
        case .repeated:
            if let type = field.typeName, let id = messageIDs[type.text], isMapEntry(messageNodes[id.index]) {
                return .map
            }
            let isPackable = field.kind?.isPackable ?? false
            return .repeated(packed: isPackable && options.integer(OptionNumber.packed) != 0)
        case .required: return .optional
        case .optional:
            // Messages and members of a oneof know whether they are set.
            let isExplicit = field.isProto3Optional || field.oneof != nil || field.kind == .message
            return isExplicit ? .optional : .implicit
        }
    }

    private func isMapEntry(_ node: MessageNode) -> Bool {
        node.isMapEntry && node.fields.count == 2 && node.fields.contains { $0.number == 1 }
            && node.fields.contains { $0.number == 2 }
    }

    private func role(_ number: UInt64?) -> FieldRole? {
        switch number {
        case 1: .key
        case 2: .count
        case 3: .label
        case 4: .items
        case 5: .cursor
        case 6: .distinct
        default: nil
        }
    }

    // MARK: Methods

    private mutating func add(_ service: ServiceNode, of file: FileNode, isDamaged: Bool) {
        let package = file.package?.text ?? ""
        for node in service.methods {
            guard let input = messageIDs[node.input.text], let output = messageIDs[node.output.text] else {
                continue
            }
            let descriptor = MethodDescriptor(
                name: node.name.text, service: Linker.join(package, service.name.text), input: input,
                output: output,
                binding: .builtIn, documentation: node.documentation, location: node.name.location)
            methods.append(
                Method(
                    descriptor: descriptor, options: node.options.message, package: package,
                    isDamaged: isDamaged || node.options.isFaulty))
        }
    }
}

extension FieldRules {
    /// `portico.v1.Rules`. A pattern that does not compile is a fault of the file, or of no use to a client.
    fileprivate init(_ options: OptionBytes) {
        self.init()
        isRequired = options.bool(1)
        minimumLength = options.integer(2).map { Int(clamping: $0) }
        maximumLength = options.integer(3).map { Int(clamping: $0) }
        pattern = options.text(4).flatMap { try? TextPattern($0) }
        isEmail = options.bool(5)
        isKnown = options.bool(6)
    }
}
