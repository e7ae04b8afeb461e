/// What protobuf demands of messages and enums beyond their grammar.
extension Linker {
    mutating func checkRules(file index: Int) {
        let file = files[index]
        for node in file.enums { check(node, isProto3: file.isProto3) }
        for field in file.extensions { checkExtension(field, isProto3: file.isProto3) }
        var messages: [MessageNode] = []
        forEachMessage(of: file) { messages.append($0) }
        for message in messages {
            checkNumbers(of: message)
            checkReserved(message.reservedRanges, message.reservedNames, meaning: "number")
            if file.isProto3 { checkJSONNames(of: message) }
            for node in message.enums { check(node, isProto3: file.isProto3) }
            for field in message.extensions { checkExtension(field, isProto3: file.isProto3) }
        }
    }

    // MARK: Fields

    private mutating func checkNumbers(of message: MessageNode) {
        var known: [Int: Name] = [:]
        let reserved = RangeTable(message.reservedRanges)
        let extensions = RangeTable(message.extensionRanges)
        let reservedNames = Set(message.reservedNames.map(\.text))
        for field in message.fields {
            let (number, place) = (field.number, field.numberLocation)
            if let other = known[number] {
                faults.add(place, "number \(number) is taken by field \"\(other.text)\"")
            } else {
                known[number] = field.name
            }
            checkImplementationRange(of: field)
            if reserved.contains(number) { faults.add(place, "number \(number) is reserved") }
            if extensions.contains(number) { faults.add(place, "number \(number) belongs to extensions") }
            if reservedNames.contains(field.name.text) {
                faults.add(field.name.location, "the name \"\(field.name.text)\" is reserved")
            }
        }
    }

    private mutating func checkImplementationRange(of field: FieldNode) {
        if (19_000...19_999).contains(field.number) {
            faults.add(field.numberLocation, "numbers 19000 to 19999 are reserved for protobuf itself")
        }
    }

    private mutating func checkReserved(_ ranges: [NumberRange], _ names: [Name], meaning: String) {
        for range in RangeTable(ranges).overlapping {
            faults.add(range.location, "\(meaning) \(range.first) is reserved twice")
        }
        var known: Set<String> = []
        for name in names where !known.insert(name.text).inserted {
            faults.add(name.location, "the name \"\(name.text)\" is reserved twice")
        }
    }

    /// Two names that differ in underscores and case only are one in JSON; a reader could not tell them apart.
    private mutating func checkJSONNames(of message: MessageNode) {
        var folded: [String: Name] = [:]
        var exact: [String: Name] = [:]
        for field in message.fields {
            let name = field.name
            let key = name.text.filter { $0 != "_" }.lowercased()
            if let other = folded[key] {
                faults.add(
                    name.location,
                    "in JSON the name \"\(name.text)\" is the same as that of field \"\(other.text)\"")
            } else if let other = exact[field.jsonName ?? JSONName.lowerCamelCase(name.text)] {
                faults.add(
                    name.location,
                    "the JSON name of \"\(name.text)\" is the same as that of field \"\(other.text)\"")
            }
            folded[key] = folded[key] ?? name
            exact[field.jsonName ?? JSONName.lowerCamelCase(name.text)] = name
        }
    }

    private static let extensibleInProto3: Set<String> = Set(
        [
            "FileOptions", "MessageOptions", "FieldOptions", "OneofOptions", "ExtensionRangeOptions",
            "EnumOptions",
            "EnumValueOptions", "ServiceOptions", "MethodOptions",
        ].map { "google.protobuf." + $0 })

    private mutating func checkExtension(_ field: FieldNode, isProto3: Bool) {
        checkImplementationRange(of: field)
        guard let extendee = field.extendee, let symbol = symbols.symbols[extendee.text] else { return }
        if isProto3, !Self.extensibleInProto3.contains(extendee.text) {
            return faults.add(extendee.location, "proto3 can only extend google.protobuf's options")
        }
        var ranges: [NumberRange] = []
        forEachMessage(of: files[symbol.file]) { message in
            if message.fullName == extendee.text { ranges = message.extensionRanges }
        }
        if !RangeTable(ranges).contains(field.number) {
            faults.add(
                field.numberLocation,
                "\"\(extendee.text)\" does not declare \(field.number) as an extension number")
        }
        if field.jsonName != nil {
            faults.add(field.name.location, "an extension takes no json_name")
        }
    }

    // MARK: Enums

    private mutating func check(_ node: EnumNode, isProto3: Bool) {
        if isProto3, let first = node.values.first, first.number != 0 {
            faults.add(first.name.location, "the first value of a proto3 enum must be 0, not \(first.number)")
        }
        checkReserved(node.reservedRanges, node.reservedNames, meaning: "number")
        let reserved = RangeTable(node.reservedRanges)
        let reservedNames = Set(node.reservedNames.map(\.text))
        for value in node.values {
            if reserved.contains(Int(value.number)) {
                faults.add(value.name.location, "number \(value.number) is reserved")
            }
            if reservedNames.contains(value.name.text) {
                faults.add(value.name.location, "the name \"\(value.name.text)\" is reserved")
            }
        }
        checkAliases(of: node)
        if isProto3 { checkShortNames(of: node) }
    }

    private mutating func checkAliases(of node: EnumNode) {
        let option = node.options.statements.first { $0.title == "allow_alias" }
        var allowsAliases = node.allowsAliases
        if case .identifier("true") = option?.value.form { allowsAliases = true }
        var known: [Int32: Name] = [:]
        var hasAliases = false
        for value in node.values {
            guard let other = known[value.number] else {
                known[value.number] = value.name
                continue
            }
            hasAliases = true
            if allowsAliases { continue }
            faults.add(
                value.name.location,
                "number \(value.number) is taken by \"\(other.text)\"; "
                    + "to give it two names, set option allow_alias = true;")
        }
        if allowsAliases, !hasAliases, let option {
            faults.add(option.value.location, "allow_alias is set, but no two values share a number")
        }
    }

    /// Languages with scoped enums drop the prefix: `COLOR_RED` of `Color` becomes `red`, and so would `RED`.
    private mutating func checkShortNames(of node: EnumNode) {
        var known: [String: EnumValueNode] = [:]
        for value in node.values {
            let short = JSONName.shortEnumName(value.name.text, of: node.name.text)
            if let other = known[short], other.number != value.number, other.name.text != value.name.text {
                faults.add(
                    value.name.location,
                    "\"\(value.name.text)\" and \"\(other.name.text)\" are the same name without the enum's prefix"
                )
            }
            known[short] = known[short] ?? value
        }
    }
}
