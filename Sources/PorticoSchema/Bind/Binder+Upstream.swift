/// `(portico.v1.upstream)` and `(portico.v1.image)`:
///
///     { base: "staff" get: "employee/{id}" root: "data" envelope { field: "status" equals: "success" } }
///     { base: "staff-images" from: "GetEmployee" url: "profile_image" }
extension Binder {
    private static let httpMethods: [(option: String, method: HTTPMethod)] = [
        ("get", .get), ("post", .post), ("put", .put), ("patch", .patch), ("delete", .delete),
    ]

    mutating func upstream(_ options: OptionMessage, of method: MethodDescriptor) -> UpstreamBinding? {
        let place = method.options(at: "portico.v1.upstream", in: self)
        guard let base = base(options, at: place) else { return nil }
        guard
            let (option, httpMethod) = Self.httpMethods.first(where: { options.entry($0.option) != nil }),
            let text = options.texts(option).first
        else {
            faults.add(place, "an upstream needs one of get, post, put, patch and delete, with a path")
            return nil
        }
        guard let path = pathTemplate(text, request: method.input) else { return nil }
        var binding = UpstreamBinding(base: base, method: httpMethod, path: path)
        binding.root = jsonPath(options, "root")
        binding.body = body(options, of: method, httpMethod)
        if let inner = options.message("paging") {
            let place = options.location("paging", or: place)
            guard let paging = paging(inner, of: method, path, at: place) else { return nil }
            binding.paging = paging
        }
        if let inner = options.message("envelope") {
            binding.envelope = envelope(inner, at: options.location("envelope", or: place))
        }
        return binding
    }

    private mutating func base(_ options: OptionMessage, at place: SourceLocation) -> String? {
        guard let base = options.texts("base").first else {
            faults.add(place, "\"base\" is missing: the upstream's name in the environment file")
            return nil
        }
        let isName = base.text.utf8.allSatisfy { Lexer.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        if isName, !base.text.isEmpty { return base.text }
        faults.add(
            base.location,
            "an upstream's name has letters, digits, \"-\" and \"_\" only, not \"\(base.text)\"")
        return nil
    }

    private mutating func jsonPath(_ options: OptionMessage, _ option: String) -> [String] {
        options.texts(option).first.map { jsonPath($0) } ?? []
    }

    private mutating func jsonPath(_ text: Name) -> [String] {
        let parts = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if !parts.contains("") { return parts }
        faults.add(text.location, "a path is made of names with \".\" between them: \"data.items\"")
        return []
    }

    private mutating func body(
        _ options: OptionMessage, of method: MethodDescriptor, _ httpMethod: HTTPMethod
    ) -> String? {
        guard let name = options.texts("body").first else { return nil }
        if httpMethod == .get || httpMethod == .delete {
            faults.add(name.location, "a \(httpMethod.rawValue) request has no body")
            return nil
        }
        let body = field(name, of: method.input, wanted: "a single message of the request") { field in
            guard field.isSingle, case .message = field.type else { return false }
            return true
        }
        if case .message(let message)? = body?.type { checkWritable(message, at: name.location) }
        return body?.name
    }

    /// In a body no two fields can be at the same place, nor one inside another; reading a message puts up with it.
    private mutating func checkWritable(_ root: MessageID, at place: SourceLocation) {
        var seen: Set = [root]
        var waiting = [root]
        while let id = waiting.popLast() {
            let message = messages[id.index]
            for (index, field) in message.fields.enumerated() {
                if let other = message.fields[..<index].first(where: { $0.overlaps(field) }) {
                    faults.add(
                        place,
                        "\"\(other.name)\" and \"\(field.name)\" of \(message.fullName) take the same place in a body"
                    )
                }
                if case .message(let inner) = field.type, seen.insert(inner).inserted {
                    waiting.append(inner)
                }
            }
        }
    }

    // MARK: Paging and envelope

    private mutating func paging(
        _ options: OptionMessage, of method: MethodDescriptor, _ path: PathTemplate, at place: SourceLocation
    ) -> PagingBinding? {
        let items: FieldDescriptor?
        if let name = options.texts("items").first {
            items = field(
                name, of: method.output, wanted: "a repeated message field", where: \.isRepeatedMessage)
        } else {
            items = itemsField(of: method.output, at: place)
        }
        let pageName = options.texts("page").first ?? Name(text: "page", location: place)
        let page = field(
            pageName, of: method.input, wanted: "an integer of the request", where: \.isSingleInteger)
        if let page, !path.fields.contains(page.name) {
            faults.add(
                pageName.location,
                "\"\(page.name)\" chooses the page, but the path does not contain {\(page.name)}")
        }
        guard let items, let page else { return nil }
        var paging = PagingBinding(items: items.name, page: page.name)
        paging.next = optionalField(
            "next", in: options, of: method.output, wanted: "a string of the response",
            where: \.isSingleString)
        let integer = "an integer of the response"
        paging.total = optionalField(
            "total", in: options, of: method.output, wanted: integer, where: \.isSingleInteger)
        paging.totalPages = optionalField(
            "total_pages", in: options, of: method.output, wanted: integer, where: \.isSingleInteger)
        paging.prefetches = options.bool("prefetch")
        paging.allowsPartial = options.bool("partial")
        let ends = ["next", "total", "total_pages"]
        if !ends.contains(where: { options.entry($0) != nil }) {
            faults.add(place, "paging needs one of next, total and total_pages, to know the last page")
        }
        return paging
    }

    private mutating func envelope(_ options: OptionMessage, at place: SourceLocation) -> EnvelopeBinding {
        let field = jsonPath(options, "field")
        if options.entry("field") != nil, options.entry("equals") == nil {
            faults.add(place, "\"field\" needs \"equals\": the value that means success")
        }
        if options.entry("equals") != nil, options.entry("field") == nil {
            faults.add(place, "\"equals\" needs \"field\": where the status lies")
        }
        return EnvelopeBinding(
            field: field, equals: options.text("equals") ?? "",
            messages: options.texts("message").map { jsonPath($0) },
            otherwise: options.text("otherwise"))
    }

    // MARK: Images

    mutating func image(_ options: OptionMessage, of method: MethodDescriptor) -> ImageBinding? {
        let place = method.options(at: "portico.v1.image", in: self)
        guard let base = base(options, at: place) else { return nil }
        if let path = options.texts("path").first {
            if options.entry("from") != nil {
                faults.add(
                    options.location("from", or: place), "\"from\" goes with \"url\", not with \"path\"")
            }
            return pathTemplate(path, request: method.input).map {
                ImageBinding(base: base, source: .path($0))
            }
        }
        guard let url = options.texts("url").first else {
            faults.add(place, "an image needs \"path\" or \"url\"")
            return nil
        }
        var holder = method.input
        var from: MethodID?
        if let name = options.texts("from").first {
            guard let id = source(name, of: method) else { return nil }
            holder = methods[id.index].descriptor.output
            checkSharedFields(
                of: methods[id.index].descriptor, askedBy: method, except: nil, at: name.location)
            from = id
        }
        return field(url, of: holder, wanted: "a single string", where: \.isSingleString)
            .map { ImageBinding(base: base, source: .url(field: $0.name), from: from) }
    }

    /// The upstream method that a view or an image is made from; nil after a fault.
    mutating func source(_ name: Name, of method: MethodDescriptor) -> MethodID? {
        guard let id = self.method(name, of: method.service) else { return nil }
        let source = methods[id.index]
        if source.descriptor.route == method.route {
            faults.add(name.location, "\"\(name.text)\" cannot be made from itself")
        } else if source.descriptor.service != method.service {
            faults.add(name.location, "\"\(name.text)\" is a method of another service")
        } else if source.options.entry("portico.v1.upstream") == nil {
            faults.add(name.location, "\"\(name.text)\" is not bound to an upstream; name a method that is")
        } else if case .upstream = source.descriptor.binding {
            return id
        }
        return nil
    }
}

extension MethodDescriptor {
    /// Where one of the method's options stands.
    func options(at name: String, in binder: Binder) -> SourceLocation {
        binder.methods.first { $0.descriptor.route == route }?.options.location(name, or: location)
            ?? location
    }
}

extension FieldDescriptor {
    fileprivate func overlaps(_ other: FieldDescriptor) -> Bool {
        zip(bodyPath, other.bodyPath).allSatisfy { $0 == $1 }
    }
}
