/// Everything the schema files say, linked and validated; immutable, shared by all threads.
package struct Schema: Sendable {
    package let messages: [MessageDescriptor]
    package let enums: [EnumDescriptor]
    /// In the order of their files and declarations.
    package let methods: [MethodDescriptor]
    /// The files as a serialized google.protobuf.FileDescriptorSet, dependencies first (`Control/GetSchema`).
    package let fileDescriptorSet: [UInt8]
    private let messageByName: [String: MessageID]
    private let enumByName: [String: EnumID]
    private let methodByRoute: [String: MethodID]

    package init(
        messages: [MessageDescriptor], enums: [EnumDescriptor], methods: [MethodDescriptor],
        fileDescriptorSet: [UInt8]
    ) {
        self.messages = messages
        self.enums = enums
        self.methods = methods
        self.fileDescriptorSet = fileDescriptorSet
        messageByName = Dictionary(
            messages.enumerated().map { ($1.fullName, MessageID($0)) },
            uniquingKeysWith: { first, _ in first })
        enumByName = Dictionary(
            enums.enumerated().map { ($1.fullName, EnumID($0)) }, uniquingKeysWith: { first, _ in first })
        methodByRoute = Dictionary(
            methods.enumerated().map { ($1.route, MethodID($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same for JSON that is written for us and not by an upstream: each field stands under its own name, and none must
    /// be there.
    package var plain: Schema {
        let messages = messages.map { message in
            var message = message
            for index in message.fields.indices {
                message.fields[index].path = []
                message.fields[index].isRequired = false
            }
            return message
        }
        return Schema(
            messages: messages, enums: enums, methods: methods, fileDescriptorSet: fileDescriptorSet)
    }

    package subscript(id: MessageID) -> MessageDescriptor { messages[id.index] }
    package subscript(id: EnumID) -> EnumDescriptor { enums[id.index] }
    package subscript(id: MethodID) -> MethodDescriptor { methods[id.index] }

    package func message(named fullName: String) -> MessageID? { messageByName[fullName] }
    package func enumeration(named fullName: String) -> EnumID? { enumByName[fullName] }
    /// - Parameter route: `package.Service/Method`
    package func method(route: String) -> MethodID? { methodByRoute[route] }
}
