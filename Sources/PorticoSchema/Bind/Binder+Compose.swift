/// `(portico.v1.compose)`:
///
///     { parts { field: "characters" from: "starwars.v1.Characters/GroupByEyeColor" required: true }
///       parts { field: "teams" from: "directory.v1.Directory/GroupByTeam" } }
extension Binder {
    private static let statusMessage = "portico.v1.SourceStatus"

    mutating func compose(_ options: OptionMessage, of method: MethodDescriptor) -> ComposeBinding? {
        let place = method.options(at: "portico.v1.compose", in: self)
        let faultsBefore = faults.faults.count
        var parts: [ComposeBinding.Part] = []
        for (inner, location) in options.messages("parts") {
            guard let part = part(inner, of: method, at: location) else { continue }
            if parts.contains(where: { $0.field == part.field }) {
                faults.add(inner.location("field", or: location), "\"\(part.field)\" has two parts")
            }
            parts.append(part)
        }
        if options.messages("parts").isEmpty {
            faults.add(place, "\"parts\" is missing: the methods that the answer is made of")
        }
        // What no part takes or fills can only be said of parts that are known.
        guard faults.faults.count == faultsBefore, let sources = sourcesField(of: method) else { return nil }
        checkNothingIsLeft(of: method, parts, sources: sources)
        return ComposeBinding(parts: parts, sources: sources.name)
    }

    private mutating func part(
        _ options: OptionMessage, of method: MethodDescriptor, at place: SourceLocation
    ) -> ComposeBinding.Part? {
        guard let field = options.texts("field").first, let from = options.texts("from").first else {
            faults.add(place, "a part needs \"field\" and \"from\": where its answer goes, and the method")
            return nil
        }
        let target = self.field(field, of: method.output, wanted: "a message field outside of any oneof") {
            guard $0.isSingle, $0.oneof == nil, case .message = $0.type else { return false }
            return true
        }
        guard let id = partSource(from, of: method), let target else { return nil }
        let source = methods[id.index].descriptor
        guard target.type == .message(source.output) else {
            let answer = messages[source.output.index].fullName
            faults.add(
                field.location,
                "\"\(field.text)\" must be \(answer), which is what \"\(source.name)\" answers")
            return nil
        }
        checkSharedFields(of: source, askedBy: method, except: nil, at: from.location)
        for name in neededFields(of: source)
        where messages[method.input.index].field(named: name) == nil {
            let request = messages[method.input.index].fullName
            faults.add(from.location, "\"\(source.name)\" needs \"\(name)\", which \(request) does not have")
        }
        return ComposeBinding.Part(field: target.name, from: id, isRequired: options.bool("required"))
    }

    /// The method that a part is asked of; nil after a fault.
    private mutating func partSource(_ name: Name, of method: MethodDescriptor) -> MethodID? {
        guard let id = self.method(name, of: method.service) else { return nil }
        let source = methods[id.index]
        switch source.descriptor.binding {
        case .upstream(let binding) where binding.method == .get: return id
        case .view: return id
        case .upstream: faults.add(name.location, "\"\(name.text)\" writes; a part can only read")
        case .image: faults.add(name.location, "\"\(name.text)\" answers an image, which cannot be a part")
        case .compose, .builtIn:
            // Without a binding it may be a faulty one, which is a fault already.
            if source.options.entry("portico.v1.compose") != nil {
                faults.add(
                    name.location, "\"\(name.text)\" is composed itself; name the methods that it is made of")
            } else if source.options.entries.isEmpty {
                faults.add(name.location, "\"\(name.text)\" is not bound to anything that could be asked")
            }
        }
        return nil
    }

    /// The fields of a method's request that its upstream's path cannot do without.
    func neededFields(of method: MethodDescriptor) -> [String] {
        switch method.binding {
        case .upstream(let binding): binding.path.path.fields
        case .view(let binding): neededFields(of: methods[binding.from.index].descriptor)
        case .image, .compose, .builtIn: []
        }
    }

    // MARK: The answer

    private mutating func sourcesField(of method: MethodDescriptor) -> FieldDescriptor? {
        let output = messages[method.output.index]
        let candidates = output.fields.filter { field in
            guard field.isRepeatedMessage, case .message(let id) = field.type else { return false }
            return messages[id.index].fullName == Self.statusMessage
        }
        if candidates.count == 1 { return candidates[0] }
        faults.add(
            output.location,
            "\(output.fullName) must have one repeated field of \(Self.statusMessage), "
                + "for how each part fared, not \(candidates.count)")
        return nil
    }

    private mutating func checkNothingIsLeft(
        of method: MethodDescriptor, _ parts: [ComposeBinding.Part], sources: FieldDescriptor
    ) {
        let (input, output) = (messages[method.input.index], messages[method.output.index])
        for field in output.fields
        where field.name != sources.name && !parts.contains(where: { $0.field == field.name }) {
            faults.add(field.location, "no part fills \"\(field.name)\"")
        }
        let taken = Set(
            parts.flatMap { part in
                messages[methods[part.from.index].descriptor.input.index].fields.map(\.name)
            })
        for field in input.fields where !taken.contains(field.name) {
            faults.add(field.location, "no part takes \"\(field.name)\"")
        }
    }
}
