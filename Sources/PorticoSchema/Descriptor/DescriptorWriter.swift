import PorticoWire

/// Writes linked files as a google.protobuf.FileDescriptorSet, meaning what protoc's would mean.
///
///     message A { B b = 2; }   →   message_type { name: "A" field { name: "b" number: 2 label: LABEL_OPTIONAL
///                                     type: TYPE_MESSAGE type_name: ".p.B" json_name: "b" } }
///
/// The numbers are those of google/protobuf/descriptor.proto.
enum DescriptorWriter {
    /// - Parameter files: dependencies first.
    static func fileDescriptorSet(_ files: [FileNode]) -> [UInt8] {
        var writer = ProtobufWriter()
        for file in files {
            writer.messageField(1) { write(file, into: &$0) }
        }
        return writer.bytes
    }

    private static func write(_ file: FileNode, into writer: inout ProtobufWriter) {
        writer.stringField(1, file.path)
        if let package = file.package { writer.stringField(2, package.text) }
        for node in file.imports { writer.stringField(3, node.path.text) }
        for message in file.messages { writer.messageField(4) { write(message, into: &$0) } }
        for node in file.enums { writer.messageField(5) { write(node, into: &$0) } }
        for service in file.services { writer.messageField(6) { write(service, into: &$0) } }
        for field in file.extensions { writer.messageField(7) { write(field, into: &$0) } }
        writer.options(8, file.options)
        for (index, node) in file.imports.enumerated() {
            switch node.kind {
            case .plain: break
            case .public: writer.varintField(10, UInt64(index))
            case .weak: writer.varintField(11, UInt64(index))
            }
        }
        if file.isProto3 { writer.stringField(12, "proto3") }
    }

    /// Recursion ends at ``SchemaLimits/messageDepth``.
    private static func write(_ message: MessageNode, into writer: inout ProtobufWriter) {
        writer.stringField(1, message.name.text)
        for field in message.fields { writer.messageField(2) { write(field, into: &$0) } }
        for inner in message.messages { writer.messageField(3) { write(inner, into: &$0) } }
        for node in message.enums { writer.messageField(4) { write(node, into: &$0) } }
        for range in message.extensionRanges {
            writer.messageField(5) { write(range, endOffset: 1, into: &$0) }
        }
        for field in message.extensions { writer.messageField(6) { write(field, into: &$0) } }
        if message.isMapEntry {
            writer.messageField(7) { $0.boolField(7, true) }
        } else {
            writer.options(7, message.options)
        }
        for oneof in message.oneofs {
            writer.messageField(8) { inner in
                inner.stringField(1, oneof.name.text)
                inner.options(2, oneof.options)
            }
        }
        for range in message.reservedRanges {
            writer.messageField(9) { write(range, endOffset: 1, into: &$0) }
        }
        for name in message.reservedNames { writer.stringField(10, name.text) }
    }

    private static func write(_ field: FieldNode, into writer: inout ProtobufWriter) {
        writer.stringField(1, field.name.text)
        if let extendee = field.extendee { writer.stringField(2, "." + extendee.text) }
        writer.varintField(3, UInt64(field.number))
        writer.varintField(4, UInt64(field.label.rawValue))
        if let kind = field.kind { writer.varintField(5, UInt64(kind.rawValue)) }
        if let type = field.typeName { writer.stringField(6, "." + type.text) }
        if let value = field.defaultValue { writer.stringField(7, value) }
        writer.options(8, field.options)
        if let oneof = field.oneof { writer.varintField(9, UInt64(oneof)) }
        writer.stringField(10, field.jsonName ?? JSONName.lowerCamelCase(field.name.text))
        if field.isProto3Optional { writer.boolField(17, true) }
    }

    private static func write(_ node: EnumNode, into writer: inout ProtobufWriter) {
        writer.stringField(1, node.name.text)
        for value in node.values {
            writer.messageField(2) { inner in
                inner.stringField(1, value.name.text)
                inner.varintField(2, UInt64(bitPattern: Int64(value.number)))
                inner.options(3, value.options)
            }
        }
        writer.options(3, node.options)
        for range in node.reservedRanges { writer.messageField(4) { write(range, endOffset: 0, into: &$0) } }
        for name in node.reservedNames { writer.stringField(5, name.text) }
    }

    private static func write(_ service: ServiceNode, into writer: inout ProtobufWriter) {
        writer.stringField(1, service.name.text)
        for method in service.methods {
            writer.messageField(2) { inner in
                inner.stringField(1, method.name.text)
                inner.stringField(2, "." + method.input.text)
                inner.stringField(3, "." + method.output.text)
                // protoc writes the options of every method with braces; without any, absent means the same.
                inner.options(4, method.options)
            }
        }
        writer.options(3, service.options)
    }

    /// - Parameter endOffset: 1 where the descriptor's end lies behind the range (messages), 0 where it belongs to it
    ///   (enums).
    private static func write(_ range: NumberRange, endOffset: Int, into writer: inout ProtobufWriter) {
        writer.varintField(1, UInt64(bitPattern: Int64(range.first)))
        writer.varintField(2, UInt64(bitPattern: Int64(range.last + endOffset)))
    }
}

extension ProtobufWriter {
    fileprivate mutating func options(_ number: Int, _ options: OptionsNode) {
        if !options.bytes.isEmpty { bytesField(number, options.bytes) }
    }
}
