/// The declarations that option values are checked against, by full name.
struct TypeTable {
    private(set) var messages: [String: MessageNode] = [:]
    private(set) var enums: [String: EnumNode] = [:]
    private(set) var extensions: [String: FieldNode] = [:]

    init(_ linker: Linker) {
        for file in linker.files {
            let package = file.package?.text ?? ""
            for node in file.enums { enums[node.fullName] = node }
            for field in file.extensions { extensions[Linker.join(package, field.name.text)] = field }
            linker.forEachMessage(of: file) { message in
                messages[message.fullName] = message
                for node in message.enums { enums[node.fullName] = node }
                for field in message.extensions {
                    extensions[Linker.join(message.fullName, field.name.text)] = field
                }
            }
        }
    }
}
