/// `(portico.v1.view)`:
///
///     { from: "ListPeople" all_pages: true where: "eye_color" sort: "name desc"
///       group { by: "eye_color" order: KEY label: "{key} ({count})" } page { size: "page_size" number: "page" … } }
extension Binder {
    mutating func view(_ options: OptionMessage, of method: MethodDescriptor) -> ViewBinding? {
        let place = method.options(at: "portico.v1.view", in: self)
        guard let from = options.texts("from").first else {
            faults.add(place, "\"from\" is missing: the method that gives the list")
            return nil
        }
        guard let id = source(from, of: method),
            case .upstream(let upstream) = methods[id.index].descriptor.binding
        else { return nil }
        let source = methods[id.index].descriptor
        let joins = self.joins(of: method)
        if !joins.isEmpty, isWhole(options, of: method, source: source) {
            return whole(id, upstream, of: method, joins, at: from.location)
        }
        guard let list = list(of: source, upstream, at: from.location), case .message(let record) = list.type
        else { return nil }
        checkSharedFields(of: source, askedBy: method, except: upstream.paging?.page, at: from.location)
        var view = ViewBinding(from: id, allPages: options.bool("all_pages"))
        view.joins = self.joins(joins, of: method, record: record, in: list.name)
        if view.allPages, upstream.paging == nil {
            faults.add(options.location("all_pages", or: place), "\"\(source.name)\" has no paging to follow")
        }
        view.filters = options.texts("where").compactMap { filter($0, record: record, request: method.input) }
        view.sort = options.texts("sort").compactMap { sortKey($0, record: record) }
        if let page = options.message("page") {
            view.page = self.page(page, of: method, at: options.location("page", or: place))
        }
        view.distinct = options.texts("distinct").first.flatMap { path($0, from: record)?.path }
        checkExtras(options, of: method, at: place)
        if let group = options.message("group") {
            let place = options.location("group", or: place)
            view.group = grouping(group, of: method, record: record, at: place)
        } else {
            checkList(method, record: record, at: place)
        }
        return view
    }

    /// A join with nothing to do but to join answers what its source answers.
    private func isWhole(
        _ options: OptionMessage, of method: MethodDescriptor, source: MethodDescriptor
    ) -> Bool {
        options.entries.allSatisfy { $0.name == "from" } && method.output == source.output
    }

    private mutating func whole(
        _ id: MethodID, _ upstream: UpstreamBinding, of method: MethodDescriptor,
        _ joins: [(message: OptionMessage, location: SourceLocation)], at place: SourceLocation
    ) -> ViewBinding? {
        let source = methods[id.index].descriptor
        checkSharedFields(of: source, askedBy: method, except: nil, at: place)
        let answer = messages[source.output.index]
        let lists = answer.fields.filter {
            $0.isRepeatedMessage && (upstream.paging == nil || $0.name == upstream.paging?.items)
        }
        // A message with one list is that list, unless the key is a field of its own.
        let keys = joins.compactMap { $0.message.text("key") }
        let isRecord = lists.count != 1 || keys.contains { answer.field(named: $0) != nil }
        guard !isRecord, let list = lists.first, case .message(let record) = list.type else {
            let joins = self.joins(joins, of: method, record: source.output, in: nil)
            return ViewBinding(from: id, joins: joins, isWhole: true)
        }
        return ViewBinding(
            from: id, joins: self.joins(joins, of: method, record: record, in: list.name), isWhole: true)
    }

    /// The field with the list's records; nil after a fault.
    private mutating func list(
        of source: MethodDescriptor, _ upstream: UpstreamBinding, at place: SourceLocation
    ) -> FieldDescriptor? {
        guard let paging = upstream.paging else { return itemsField(of: source.output, at: place) }
        return messages[source.output.index].field(named: paging.items)
    }

    private mutating func sortKey(_ text: Name, record: MessageID) -> ViewBinding.SortKey? {
        let words = text.text.split(separator: " ").map(String.init)
        guard (1...2).contains(words.count), words.count == 1 || ["asc", "desc"].contains(words[1]) else {
            faults.add(text.location, "\"\(text.text)\" is no sort key; write \"name\" or \"name desc\"")
            return nil
        }
        return path(Name(text: words[0], location: text.location), from: record)
            .map {
                ViewBinding.SortKey(field: $0.path, isDescending: words.last == "desc" && words.count == 2)
            }
    }

    private mutating func page(
        _ options: OptionMessage, of method: MethodDescriptor, at place: SourceLocation
    ) -> ViewBinding.Page? {
        let wanted = "an integer of the request"
        let size = optionalField(
            "size", in: options, of: method.input, wanted: wanted, where: \.isSingleInteger)
        let number = optionalField(
            "number", in: options, of: method.input, wanted: wanted, where: \.isSingleInteger)
        let cursor = optionalField(
            "cursor", in: options, of: method.input, wanted: "a string of the request",
            where: \.isSingleString)
        for name in ["size", "default_size", "max_size"] where options.entry(name) == nil {
            faults.add(place, "\"\(name)\" is missing in page")
        }
        if options.entry("number") == nil, options.entry("cursor") == nil {
            faults.add(place, "page needs \"number\" or \"cursor\", to choose the page")
        }
        let defaultSize = options.integer("default_size") ?? 0
        let maximumSize = options.integer("max_size") ?? 0
        guard let size, number != nil || cursor != nil else { return nil }
        if defaultSize < 1 || maximumSize < defaultSize {
            faults.add(place, "default_size must be at least 1 and max_size at least default_size")
            return nil
        }
        return ViewBinding.Page(
            size: size, number: number, cursor: cursor, defaultSize: Int(defaultSize),
            maximumSize: Int(maximumSize))
    }

    // MARK: The answer

    /// A cursor and distinct counts are asked for by an option and given in a field: there is one if there is the other.
    private mutating func checkExtras(
        _ options: OptionMessage, of method: MethodDescriptor, at place: SourceLocation
    ) {
        let top = messages[method.output.index].fields
        let isGrouped = options.entry("group") != nil
        let nested = top.flatMap { field -> [FieldDescriptor] in
            if isGrouped, case .message(let element) = field.type, field.isRepeatedMessage {
                messages[element.index].fields
            } else {
                []
            }
        }
        let cursors = top.filter { $0.role == .cursor }
        let counts = (top + nested).filter { $0.role == .distinct }
        for (option, role, isAsked, fields) in [
            ("page.cursor", "CURSOR", options.message("page")?.entry("cursor") != nil, cursors),
            ("distinct", "DISTINCT", options.entry("distinct") != nil, counts),
        ] {
            if isAsked, fields.isEmpty {
                faults.add(place, "\"\(option)\" needs a field of the answer with the role \(role)")
            } else if !isAsked, let field = fields.first {
                faults.add(
                    field.location, "\"\(field.name)\" has the role \(role), but the view has no \(option)")
            }
        }
    }

    /// Without groups: the records in one field, and perhaps their count.
    private mutating func checkList(_ method: MethodDescriptor, record: MessageID, at place: SourceLocation) {
        guard let items = itemsField(of: method.output, at: method.location) else { return }
        if items.type != .message(record) {
            faults.add(
                items.location,
                "\"\(items.name)\" must repeat \(messages[record.index].fullName), the record of the list")
        }
        checkTopRoles(of: method, items: items)
    }

    private mutating func checkTopRoles(of method: MethodDescriptor, items: FieldDescriptor) {
        for field in messages[method.output.index].fields where field.name != items.name {
            switch field.role {
            case nil: continue
            case .count where field.isSingleInteger: continue
            case .distinct where field.isSingleInteger: continue
            case .cursor where field.isSingleString: continue
            case .count, .distinct:
                let role = field.role == .count ? "COUNT" : "DISTINCT"
                faults.add(field.location, "\"\(field.name)\" has the role \(role) and must be an integer")
            case .cursor:
                faults.add(field.location, "\"\(field.name)\" has the role CURSOR and must be a string")
            case .key, .label, .items:
                faults.add(field.location, "\"\(field.name)\" has a role that only a group's field can have")
            }
        }
    }

    private mutating func grouping(
        _ options: OptionMessage, of method: MethodDescriptor, record: MessageID, at place: SourceLocation
    ) -> ViewBinding.Grouping? {
        guard let by = options.texts("by").first else {
            faults.add(place, "\"by\" is missing: the field that a group's records share")
            return nil
        }
        let key = path(by, from: record)
        let label = options.texts("label").first.flatMap { labelTemplate($0) }
        if let groups = itemsField(of: method.output, at: method.location),
            case .message(let group) = groups.type
        {
            checkTopRoles(of: method, items: groups)
            checkGroup(
                group, key: key?.field, record: record, label: options.location("label", or: place),
                hasLabel: options.entry("label") != nil)
        }
        let order = options.enumeration("order").flatMap(ViewBinding.Grouping.Order.init) ?? .firstSeen
        return key.map { ViewBinding.Grouping(by: $0.path, order: order, label: label) }
    }

    private mutating func labelTemplate(_ text: Name) -> Template? {
        guard let template = TemplateReader.template(text.text[...]),
            template.fields.allSatisfy({ $0 == "key" || $0 == "count" })
        else {
            faults.add(text.location, "a label is text with {key} and {count}, not \"\(text.text)\"")
            return nil
        }
        return template
    }

    /// Each role at most once, KEY exactly once, and each field of the role's type.
    private mutating func checkGroup(
        _ group: MessageID, key: FieldDescriptor?, record: MessageID, label place: SourceLocation,
        hasLabel: Bool
    ) {
        let descriptor = messages[group.index]
        var known: [FieldRole: FieldDescriptor] = [:]
        for field in descriptor.fields {
            guard let role = field.role else { continue }
            if let other = known[role] {
                faults.add(field.location, "\"\(field.name)\" has the same role as \"\(other.name)\"")
            }
            known[role] = field
            if let wanted = misfit(field, role, key: key, record: record) {
                faults.add(
                    field.location,
                    "\"\(field.name)\" has the role \(role.rawValue.uppercased()) and must \(wanted)")
            }
        }
        if known[.key] == nil {
            faults.add(descriptor.location, "a field of \(descriptor.fullName) must have the role KEY")
        }
        if hasLabel, known[.label] == nil {
            faults.add(place, "no field of \(descriptor.fullName) has the role LABEL")
        } else if !hasLabel, let field = known[.label] {
            faults.add(
                field.location, "\"\(field.name)\" has the role LABEL, but the view's group has no label")
        }
    }

    /// What the field would have to be; nil: it fits.
    private func misfit(
        _ field: FieldDescriptor, _ role: FieldRole, key: FieldDescriptor?, record: MessageID
    ) -> String? {
        switch role {
        case .key:
            guard let key else { return nil }
            return field.isSingle && field.type == key.type ? nil : "have the type of \"\(key.name)\""
        case .count, .distinct:
            return field.isSingleInteger ? nil : "be an integer"
        case .label:
            return field.isSingleString ? nil : "be a string"
        case .items:
            let fits = field.isRepeatedMessage && field.type == .message(record)
            return fits ? nil : "repeat \(messages[record.index].fullName), the record of the list"
        case .cursor:
            return "stand in the answer: groups have no pages"
        }
    }
}
