import PorticoWire

/// Reads a google.protobuf.FileDescriptorSet into trees, as if they had been parsed; the linker then checks them like
/// any others. Field numbers as in DescriptorWriter.swift.
struct DescriptorReader {
    private let bytes: [UInt8]
    private(set) var files: [FileNode] = []
    private(set) var faults = FaultList()
    private var path = ""

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var location: SourceLocation { SourceLocation(file: path, line: 1, column: 1) }

    private func name(_ text: String) -> Name { Name(text: text, location: location) }

    mutating func readSet() throws(ProtobufError) {
        var cursor = ProtobufCursor(0..<bytes.count)
        while let tag = try cursor.nextTag(in: bytes.span) {
            guard tag.field == 1 else {
                try cursor.skip(tag.wireType, in: bytes.span)
                continue
            }
            files.append(try file(try cursor.range(tag, in: bytes.span)))
        }
    }

    // MARK: Files

    private mutating func file(_ range: Range<Int>) throws(ProtobufError) -> FileNode {
        try readPath(range)
        var node = FileNode(path: path)
        node.isProto3 = false
        var kinds: [Int: ImportNode.Kind] = [:]
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 2: node.package = name(try cursor.string(tag, in: bytes.span))
            case 3:
                node.imports.append(
                    ImportNode(path: name(try cursor.string(tag, in: bytes.span)), kind: .plain))
            case 4: node.messages.append(try message(try cursor.range(tag, in: bytes.span), depth: 1))
            case 5: node.enums.append(try enumeration(try cursor.range(tag, in: bytes.span)))
            case 6: node.services.append(try service(try cursor.range(tag, in: bytes.span)))
            case 7: node.extensions.append(try field(try cursor.range(tag, in: bytes.span)))
            case 8: node.options = try options(tag, &cursor)
            case 10: try importKinds(.public, tag, &cursor, into: &kinds)
            case 11: try importKinds(.weak, tag, &cursor, into: &kinds)
            case 12: node.isProto3 = try cursor.string(tag, in: bytes.span) == "proto3"
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        for (index, kind) in kinds where node.imports.indices.contains(index) {
            node.imports[index].kind = kind
        }
        return node
    }

    /// The path first: every location names it.
    private mutating func readPath(_ range: Range<Int>) throws(ProtobufError) {
        var cursor = ProtobufCursor(range)
        path = ""
        while let tag = try cursor.nextTag(in: bytes.span) {
            if tag.field == 1 {
                path = try cursor.string(tag, in: bytes.span)
            } else {
                try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
    }

    /// Indices into the imports, packed or not.
    private func importKinds(
        _ kind: ImportNode.Kind, _ tag: ProtobufTag, _ cursor: inout ProtobufCursor,
        into kinds: inout [Int: ImportNode.Kind]
    ) throws(ProtobufError) {
        guard tag.wireType == .lengthDelimited else {
            kinds[Int(try cursor.uint32(tag, in: bytes.span))] = kind
            return
        }
        var inner = ProtobufCursor(try cursor.range(tag, in: bytes.span))
        while inner.offset < inner.end {
            kinds[Int(UInt32(truncatingIfNeeded: try inner.varint(in: bytes.span)))] = kind
        }
    }

    private func options(_ tag: ProtobufTag, _ cursor: inout ProtobufCursor) throws(ProtobufError)
        -> OptionsNode
    {
        var options = OptionsNode()
        options.bytes = Array(bytes[try cursor.range(tag, in: bytes.span)])
        return options
    }

    // MARK: Messages

    private mutating func message(_ range: Range<Int>, depth: Int) throws(ProtobufError) -> MessageNode {
        var node = MessageNode(name: name(""))
        guard depth <= SchemaLimits.messageDepth else {
            faults.add(location, "messages are nested more than \(SchemaLimits.messageDepth) deep")
            return node
        }
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.fields.append(try field(try cursor.range(tag, in: bytes.span)))
            case 3: node.messages.append(try message(try cursor.range(tag, in: bytes.span), depth: depth + 1))
            case 4: node.enums.append(try enumeration(try cursor.range(tag, in: bytes.span)))
            case 5:
                node.extensionRanges.append(try numbers(try cursor.range(tag, in: bytes.span), endOffset: 1))
            case 6: node.extensions.append(try field(try cursor.range(tag, in: bytes.span)))
            case 7: node.options = try options(tag, &cursor)
            case 8: node.oneofs.append(try oneof(try cursor.range(tag, in: bytes.span)))
            case 9:
                node.reservedRanges.append(try numbers(try cursor.range(tag, in: bytes.span), endOffset: 1))
            case 10: node.reservedNames.append(name(try cursor.string(tag, in: bytes.span)))
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        finish(&node)
        return node
    }

    /// What only the whole message tells.
    private mutating func finish(_ node: inout MessageNode) {
        node.isMapEntry = OptionBytes(node.options.bytes).bool(7)
        for index in node.fields.indices {
            guard let oneof = node.fields[index].oneof else { continue }
            if !node.oneofs.indices.contains(oneof) {
                faults.add(
                    location, "field \"\(node.fields[index].name.text)\" is in a oneof that does not exist")
                node.fields[index].oneof = nil
            } else if node.fields[index].isProto3Optional {
                node.oneofs[oneof].isSynthetic = true
            }
        }
    }

    private mutating func field(_ range: Range<Int>) throws(ProtobufError) -> FieldNode {
        var node = FieldNode(label: .optional, name: name(""), number: 0, numberLocation: location)
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.extendee = name(try cursor.string(tag, in: bytes.span))
            case 3: node.number = Int(Int32(truncatingIfNeeded: try cursor.uint64(tag, in: bytes.span)))
            case 4:
                let label = UInt8(clamping: try cursor.uint64(tag, in: bytes.span))
                node.label = FieldNode.Label(rawValue: label) ?? .optional
            case 5: node.kind = FieldKind(rawValue: UInt8(clamping: try cursor.uint64(tag, in: bytes.span)))
            case 6: node.typeName = name(try cursor.string(tag, in: bytes.span))
            case 7: node.defaultValue = try cursor.string(tag, in: bytes.span)
            case 8: node.options = try options(tag, &cursor)
            case 9: node.oneof = Int(try cursor.uint32(tag, in: bytes.span))
            case 10: node.jsonName = try cursor.string(tag, in: bytes.span)
            case 17: node.isProto3Optional = try cursor.bool(tag, in: bytes.span)
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        finish(&node)
        return node
    }

    private mutating func finish(_ node: inout FieldNode) {
        if !(1...Parser.largestFieldNumber).contains(node.number) {
            faults.add(location, "field \"\(node.name.text)\" has no valid number")
        }
        if node.typeName != nil {
            if node.kind == .group {
                faults.add(location, "field \"\(node.name.text)\" is a group: not supported")
            }
            node.kind = nil  // the linker finds out
        } else if [.group, .message, .enumeration, nil].contains(node.kind) {
            faults.add(location, "field \"\(node.name.text)\" has no type")
        }
        if node.extendee != nil { node.jsonName = nil }
    }

    private mutating func oneof(_ range: Range<Int>) throws(ProtobufError) -> OneofNode {
        var node = OneofNode(name: name(""))
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.options = try options(tag, &cursor)
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        return node
    }

    private func numbers(_ range: Range<Int>, endOffset: Int) throws(ProtobufError) -> NumberRange {
        var (first, end) = (0, 0)
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: first = Int(Int32(truncatingIfNeeded: try cursor.uint64(tag, in: bytes.span)))
            case 2: end = Int(Int32(truncatingIfNeeded: try cursor.uint64(tag, in: bytes.span)))
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        return NumberRange(first: first, last: max(first, end - endOffset), location: location)
    }

    // MARK: Enums and services

    private mutating func enumeration(_ range: Range<Int>) throws(ProtobufError) -> EnumNode {
        var node = EnumNode(name: name(""))
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.values.append(try enumValue(try cursor.range(tag, in: bytes.span)))
            case 3: node.options = try options(tag, &cursor)
            case 4:
                node.reservedRanges.append(try numbers(try cursor.range(tag, in: bytes.span), endOffset: 0))
            case 5: node.reservedNames.append(name(try cursor.string(tag, in: bytes.span)))
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        if node.values.isEmpty { faults.add(location, "enum \"\(node.name.text)\" has no values") }
        node.allowsAliases = OptionBytes(node.options.bytes).bool(2)
        return node
    }

    private func enumValue(_ range: Range<Int>) throws(ProtobufError) -> EnumValueNode {
        var node = EnumValueNode(name: name(""), number: 0)
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.number = Int32(truncatingIfNeeded: try cursor.uint64(tag, in: bytes.span))
            case 3: node.options = try options(tag, &cursor)
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        return node
    }

    private func service(_ range: Range<Int>) throws(ProtobufError) -> ServiceNode {
        var node = ServiceNode(name: name(""))
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.methods.append(try method(try cursor.range(tag, in: bytes.span)))
            case 3: node.options = try options(tag, &cursor)
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        return node
    }

    private func method(_ range: Range<Int>) throws(ProtobufError) -> MethodNode {
        var node = MethodNode(name: name(""), input: name(""), output: name(""))
        var cursor = ProtobufCursor(range)
        while let tag = try cursor.nextTag(in: bytes.span) {
            switch tag.field {
            case 1: node.name = name(try cursor.string(tag, in: bytes.span))
            case 2: node.input = name(try cursor.string(tag, in: bytes.span))
            case 3: node.output = name(try cursor.string(tag, in: bytes.span))
            case 4: node.options = try options(tag, &cursor)
            default: try cursor.skip(tag.wireType, in: bytes.span)
            }
        }
        return node
    }
}
