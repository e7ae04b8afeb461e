/// Makes each method's binding from its options, and checks it against the messages it speaks of.
///
///     rpc GetPerson(GetPersonRequest) returns (Person) {
///       option (portico.v1.upstream) = { base: "starwars" get: "people/{id}/" };   // GetPersonRequest must have `id`
///     }
///
/// Upstream bindings come first, since views and images are made from what upstreams answer, then these, and at last what
/// is composed of any of them. Nothing can be made from another of its own kind, so there are no cycles to look for.
struct Binder {
    let messages: [MessageDescriptor]
    let enums: [EnumDescriptor]
    var methods: [SchemaBuilder.Method]
    var faults: FaultList
    private let methodIDs: [String: MethodID]

    /// The options that bind a method, exactly one of them to each.
    private static let bindingOptions = [
        "portico.v1.upstream", "portico.v1.view", "portico.v1.image", "portico.v1.compose",
    ]
    /// The server answers its methods by itself.
    private static let builtInService = "portico.v1.Control"
    private static let imageMessage = "portico.v1.Image"

    init(_ builder: SchemaBuilder, faults: FaultList) {
        messages = builder.messages
        enums = builder.enums
        methods = builder.methods
        self.faults = faults
        methodIDs = Dictionary(
            builder.methods.enumerated().map { ($1.descriptor.route, MethodID($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func bindAll() {
        let waiting = methods.indices.filter { !methods[$0].isDamaged && hasOneBinding(methods[$0]) }
        for index in waiting {
            guard let options = methods[index].options.message("portico.v1.upstream") else { continue }
            if let binding = upstream(options, of: methods[index].descriptor) {
                methods[index].descriptor.binding = .upstream(binding)
            }
        }
        for index in waiting {
            let method = methods[index]
            if let options = method.options.message("portico.v1.view"),
                let binding = view(options, of: method.descriptor)
            {
                methods[index].descriptor.binding = .view(binding)
            }
            if let options = method.options.message("portico.v1.image"),
                let binding = image(options, of: method.descriptor)
            {
                methods[index].descriptor.binding = .image(binding)
            }
            if let join = method.options.entry(Self.joinOption),
                method.options.entry("portico.v1.view") == nil
            {
                faults.add(
                    join.location,
                    "(\(Self.joinOption)) goes with (portico.v1.view): the list that it completes")
            }
        }
        for index in waiting {
            guard let options = methods[index].options.message("portico.v1.compose") else { continue }
            if let binding = compose(options, of: methods[index].descriptor) {
                methods[index].descriptor.binding = .compose(binding)
            }
        }
        for index in waiting { bindInvalidations(of: index) }
    }

    /// False: it has none, which is right for built-in methods and a fault for others, or several, which is a fault.
    private mutating func hasOneBinding(_ method: SchemaBuilder.Method) -> Bool {
        let descriptor = method.descriptor
        let present = Self.bindingOptions.filter { method.options.entry($0) != nil }
        if descriptor.service == Self.builtInService {
            if !present.isEmpty {
                faults.add(
                    descriptor.location,
                    "the server answers \"\(descriptor.route)\" by itself: it takes no binding")
            }
            return false
        }
        if present.count > 1 {
            let names = present.map { "(\($0))" }.joined(separator: " and ")
            faults.add(descriptor.location, "method \"\(descriptor.name)\" has both \(names); one is allowed")
        } else if present.isEmpty {
            let names = Self.bindingOptions.map { "(\($0))" }.joined(separator: ", ")
            faults.add(descriptor.location, "method \"\(descriptor.name)\" needs one of \(names)")
        } else if let name = present.first, method.options.message(name) != nil {
            return answersImage(descriptor, boundBy: name)
        }
        return false
    }

    private mutating func answersImage(_ method: MethodDescriptor, boundBy option: String) -> Bool {
        let isImage = messages[method.output.index].fullName == Self.imageMessage
        if isImage == (option == "portico.v1.image") { return true }
        faults.add(
            method.location,
            isImage
                ? "method \"\(method.name)\" answers \(Self.imageMessage) and needs (portico.v1.image)"
                : "method \"\(method.name)\" has (portico.v1.image) and must answer \(Self.imageMessage)")
        return false
    }

    /// After all bindings are known.
    private mutating func bindInvalidations(of index: Int) {
        let method = methods[index].descriptor
        for name in methods[index].options.texts("portico.v1.invalidates") {
            guard let id = self.method(name, of: method.service) else { continue }
            guard method.binding.isWrite else {
                faults.add(name.location, "\"\(method.name)\" only reads: it makes nothing void")
                continue
            }
            if let reason = notKept(methods[id.index]) {
                faults.add(name.location, "\"\(name.text)\" \(reason)")
            } else {
                methods[index].descriptor.invalidates.append(id)
            }
        }
    }

    /// Why no answers of a method are kept that could be made void.
    private func notKept(_ method: SchemaBuilder.Method) -> String? {
        switch method.descriptor.binding {
        case .upstream(let binding): binding.method.isRead ? nil : "writes: none of its answers is kept"
        case .view: nil
        case .compose: "is put together from others: name those"
        case .image: "gives images, which are asked for by their own URLs"
        case .builtIn: method.descriptor.service == Self.builtInService ? "is the server's own" : nil
        }
    }

    // MARK: Looking up

    /// A method by its name in the service, or by its route; nil after a fault.
    mutating func method(_ name: Name, of service: String) -> MethodID? {
        let route = name.text.contains("/") ? name.text : "\(service)/\(name.text)"
        if let id = methodIDs[route] { return id }
        let names = methods.map {
            $0.descriptor.service == service ? $0.descriptor.name : $0.descriptor.route
        }
        let hint = faults.suggestion(for: name.text, among: names)
        let owner = name.text.contains("/") ? "there is" : "\(service) has"
        faults.add(name.location, "\(owner) no method \"\(name.text)\"\(hint)")
        return nil
    }

    /// A field of a message; nil after a fault.
    mutating func field(_ name: Name, of message: MessageID) -> FieldDescriptor? {
        let descriptor = messages[message.index]
        if let field = descriptor.field(named: name.text) { return field }
        let hint = faults.suggestion(for: name.text, among: descriptor.fields.map(\.name))
        faults.add(name.location, "\(descriptor.fullName) has no field \"\(name.text)\"\(hint)")
        return nil
    }

    /// A field, which must be what is wanted; nil after a fault.
    mutating func field(
        _ name: Name, of message: MessageID, wanted: String, where fits: (FieldDescriptor) -> Bool
    ) -> FieldDescriptor? {
        guard let field = field(name, of: message) else { return nil }
        if fits(field) { return field }
        faults.add(name.location, "\"\(name.text)\" must be \(wanted)")
        return nil
    }

    /// A field that an option names, when the option is set.
    mutating func optionalField(
        _ option: String, in options: OptionMessage, of message: MessageID, wanted: String,
        where fits: (FieldDescriptor) -> Bool
    ) -> String? {
        guard let name = options.texts(option).first else { return nil }
        return field(name, of: message, wanted: wanted, where: fits)?.name
    }

    /// A scalar or enum field, reached from a message through single messages: `address.city`.
    mutating func path(_ text: Name, from message: MessageID) -> (path: FieldPath, field: FieldDescriptor)? {
        var message = message
        let parts = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, part) in parts.enumerated() {
            guard let field = field(Name(text: part, location: text.location), of: message) else {
                return nil
            }
            if index == parts.count - 1 {
                if field.isSingleValue { return (parts, field) }
                faults.add(text.location, "\"\(text.text)\" must be a single number, bool, string or enum")
                return nil
            }
            guard field.isSingle, case .message(let next) = field.type else {
                faults.add(
                    text.location, "\"\(part)\" is no single message; \"\(text.text)\" cannot lead through it"
                )
                return nil
            }
            message = next
        }
        return nil
    }

    /// The field with the records of a list: named, or the only one that repeats messages; nil after a fault.
    mutating func itemsField(of message: MessageID, at location: SourceLocation) -> FieldDescriptor? {
        let descriptor = messages[message.index]
        let candidates = descriptor.fields.filter(\.isRepeatedMessage)
        if candidates.count == 1 { return candidates[0] }
        faults.add(
            location,
            "\(descriptor.fullName) must have one repeated message field, not \(candidates.count)")
        return nil
    }

    /// A method that another one asks first fills its request by fields of equal name; they must have equal types.
    mutating func checkSharedFields(
        of source: MethodDescriptor, askedBy method: MethodDescriptor, except: String?,
        at location: SourceLocation
    ) {
        let request = messages[method.input.index]
        for wanted in messages[source.input.index].fields where wanted.name != except {
            guard let given = request.field(named: wanted.name),
                given.type != wanted.type || given.isSingle != wanted.isSingle
            else { continue }
            faults.add(location, "\"\(wanted.name)\" has another type in the request of \"\(source.name)\"")
        }
    }
}

extension FieldDescriptor {
    /// Not repeated, not a map.
    var isSingle: Bool {
        switch cardinality {
        case .implicit, .optional: true
        case .repeated, .map: false
        }
    }

    var isRepeatedMessage: Bool {
        guard case .repeated = cardinality, case .message = type else { return false }
        return true
    }

    /// What can be compared, sorted by and written into a URL.
    var isSingleValue: Bool {
        guard isSingle else { return false }
        switch type {
        case .bytes, .message: return false
        case .double, .float, .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64,
            .sfixed32,
            .sfixed64, .bool, .string, .enumeration:
            return true
        }
    }

    var isSingleInteger: Bool {
        guard isSingle else { return false }
        switch type {
        case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
            return true
        case .double, .float, .bool, .string, .bytes, .message, .enumeration: return false
        }
    }

    var isSingleString: Bool { isSingle && type == .string }
}
