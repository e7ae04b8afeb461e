/// `(portico.v1.join)`, beside a view:
///
///     { key: "homeworld" match: "planets/{id}/" from: "GetPlanet" take: "name" into: "homeworld_name" }
extension Binder {
    /// The option of a method, once for each field that is followed.
    static let joinOption = "portico.v1.join"

    /// As they are written.
    func joins(of method: MethodDescriptor) -> [(message: OptionMessage, location: SourceLocation)] {
        methods.first { $0.descriptor.route == method.route }?.options.messages(Self.joinOption) ?? []
    }

    /// - Parameters:
    ///   - nodes: what ``joins(of:)`` gives.
    ///   - record: of the view's source.
    ///   - list: the source's field that holds the records; nil: its answer is the record.
    mutating func joins(
        _ nodes: [(message: OptionMessage, location: SourceLocation)], of method: MethodDescriptor,
        record: MessageID, in list: String?
    ) -> [JoinBinding] {
        var joins: [JoinBinding] = []
        for (options, place) in nodes {
            guard let join = join(options, of: method, record: record, in: list, at: place) else { continue }
            if joins.contains(where: { $0.into == join.into }) {
                faults.add(
                    options.location("into", or: place), "two joins put something into \"\(join.into)\"")
            }
            joins.append(join)
        }
        return joins
    }

    private mutating func join(
        _ options: OptionMessage, of method: MethodDescriptor, record: MessageID, in list: String?,
        at place: SourceLocation
    ) -> JoinBinding? {
        for name in ["key", "match", "from", "into"] where options.entry(name) == nil {
            faults.add(place, "\"\(name)\" is missing in join")
        }
        guard let key = options.texts("key").first, let match = options.texts("match").first,
            let from = options.texts("from").first, let into = options.texts("into").first
        else { return nil }
        let keyField = field(key, of: record, wanted: "a single string or integer", where: \.isKey)
        let target = field(into, of: record, wanted: "a single field outside of any oneof") {
            $0.isSingle && $0.oneof == nil
        }
        guard let id = joined(from, of: method), let pattern = pattern(match, of: id),
            let keyField, let target
        else { return nil }
        if keyField.name == target.name {
            faults.add(into.location, "\"\(into.text)\" cannot be the key and what is joined")
        }
        guard let take = taken(options.texts("take").first, from: id, into: target, at: into.location) else {
            return nil
        }
        return JoinBinding(
            list: list, key: keyField.name, match: pattern, from: id, take: take.name, into: target.name)
    }

    /// The method that gives the other record; nil after a fault.
    private mutating func joined(_ name: Name, of method: MethodDescriptor) -> MethodID? {
        guard let id = self.method(name, of: method.service) else { return nil }
        let source = methods[id.index]
        if case .upstream(let binding) = source.descriptor.binding {
            if binding.method == .get { return id }
            faults.add(name.location, "\"\(name.text)\" writes; a join can only read")
        } else if source.options.entry("portico.v1.upstream") == nil {
            faults.add(name.location, "\"\(name.text)\" is not bound to an upstream; name a method that is")
        }
        return nil
    }

    /// `planets/{id}/`: one field of the method's request, the only one that its path needs; nil after a fault.
    private mutating func pattern(_ text: Name, of id: MethodID) -> JoinBinding.Pattern? {
        let source = methods[id.index].descriptor
        guard let template = TemplateReader.template(text.text[...]), template.fields.count == 1 else {
            faults.add(
                text.location,
                "\"\(text.text)\" must have one field of the request of \"\(source.name)\" in braces: "
                    + "\"planets/{id}/\"")
            return nil
        }
        let name = template.fields[0]
        guard
            field(
                Name(text: name, location: text.location), of: source.input,
                wanted: "a single string or integer", where: \.isKey) != nil
        else { return nil }
        for needed in neededFields(of: source) where needed != name {
            faults.add(text.location, "\"\(source.name)\" needs \"\(needed)\" as well, which no key has")
        }
        var pattern = JoinBinding.Pattern(field: name)
        var isBehind = false
        for piece in template.pieces {
            switch piece {
            case .field: isBehind = true
            case .literal(let literal) where isBehind: pattern.after = literal
            case .literal(let literal): pattern.before = literal
            }
        }
        return pattern
    }

    /// What of the other record fits into the field; nil after a fault, with a nil name: all of it.
    private mutating func taken(
        _ take: Name?, from id: MethodID, into target: FieldDescriptor, at place: SourceLocation
    ) -> (name: String?, type: FieldType)? {
        let source = methods[id.index].descriptor
        var found: (name: String?, type: FieldType) = (nil, .message(source.output))
        if let take {
            guard
                let field = field(
                    take, of: source.output, wanted: "a single field of the answer", where: \.isSingle)
            else { return nil }
            found = (field.name, field.type)
        }
        if found.type == target.type { return found }
        let what = found.name.map { "\"\($0)\" of \"\(source.name)\"" } ?? "the answer of \"\(source.name)\""
        faults.add(place, "\"\(target.name)\" must have the type of \(what)")
        return nil
    }
}

extension FieldDescriptor {
    /// What can name another record, or choose one in a request.
    fileprivate var isKey: Bool { isSingleString || isSingleInteger }
}
