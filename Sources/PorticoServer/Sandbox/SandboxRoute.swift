import PorticoTranscode

/// One entry of a `routes.json`, complete: templates compiled, defaults filled in.
struct SandboxRoute: Sendable {
    enum Source: Sendable {
        /// The name of a data file.
        case list(String, Paging?)
        case one(String)
        /// POST adds to a data file. `key`: the field that tells its items apart.
        case create(String, key: String)
        /// PUT replaces an item of a data file.
        case replace(String)
        /// Path of a file in the upstream's folder, with `{name}` places; segments as in the request.
        case file(SandboxPath)
        case fixed
    }

    struct Paging: Sendable, Equatable {
        /// Items a page.
        var size: Int
        /// The query item that chooses the page.
        var query: String
    }

    var path: SandboxPath
    var source: Source
    var item: SandboxTemplate?
    var answer: SandboxTemplate
    var status: Int
    var missing: SandboxTemplate
    var missingStatus: Int
    var fields: [HTTPRequest.Field]
}

/// What a route gives, before it becomes bytes: faults still want to change it.
enum SandboxAnswer: Equatable {
    case json(JSONValue, status: Int, fields: [HTTPRequest.Field])
    case file(path: String, fields: [HTTPRequest.Field])
}

extension SandboxRoute {
    /// What the route needs to know of a request.
    struct Query {
        /// Values of the path's parameters.
        var parameters: [String: String]
        /// The request's own URL without its query.
        var url: String
        var origin: String
        var item: (String) -> String?
        var body: [UInt8]
    }

    /// The HTTP methods that it answers.
    var methods: [String] {
        switch source {
        case .list, .one, .file, .fixed: ["GET", "HEAD"]
        case .create: ["POST"]
        case .replace: ["PUT"]
        }
    }

    /// - Parameter data: the upstream's data files by name; a write changes them.
    func answer(
        to query: Query, from data: inout [String: [JSONValue]]
    ) throws(SandboxWrite.Refusal) -> SandboxAnswer {
        var values = query.parameters.reduce(into: ["origin": JSONValue.string(query.origin)]) {
            $0["path.\($1.key)"] = .string($1.value)
        }
        switch source {
        case .fixed:
            break
        case .file(let file):
            return .file(path: file.text(with: query.parameters), fields: fields)
        case .create(let file, let key):
            let item = try SandboxWrite.create(query.body, key: key, in: &data[file, default: []])
            values["item"] = shaped(item, values)
        case .replace(let file):
            let found = try SandboxWrite.replace(
                query.body, selectedBy: query.parameters, in: &data[file, default: []])
            guard let found else { return absent(values) }
            values["item"] = shaped(found, values)
        case .one(let file):
            guard let first = Self.select(data[file] ?? [], by: query.parameters).first else {
                return absent(values)
            }
            values["item"] = shaped(first, values)
        case .list(let file, let paging):
            let selected = Self.select(data[file] ?? [], by: query.parameters)
            guard let page = Page(of: selected, paging, query) else { return absent(values) }
            values.merge(page.values) { $1 }
            values["items"] = .array(page.items.map { shaped($0, values) })
        }
        return .json(answer.filled(with: values), status: status, fields: fields)
    }

    private func absent(_ values: [String: JSONValue]) -> SandboxAnswer {
        .json(missing.filled(with: values), status: missingStatus, fields: [])
    }

    private func shaped(_ item: JSONValue, _ values: [String: JSONValue]) -> JSONValue {
        guard let template = self.item, case .object(let members) = item else { return item }
        var own = values
        for member in members { own[member.name] = member.value }
        own["origin"] = values["origin"]
        return template.filled(with: own)
    }

    /// Keeps the items that agree with every parameter that bears the name of a field; an item without it does not.
    private static func select(_ items: [JSONValue], by parameters: [String: String]) -> [JSONValue] {
        let selecting = parameters.filter { name, _ in items.contains { $0[name] != nil } }
        return items.filter { item in
            selecting.allSatisfy { name, text in
                guard case .array(let elements)? = item[name] else { return item[name]?.plainText == text }
                return elements.contains { $0.plainText == text }
            }
        }
    }

    /// One page of a list, and what its templates may say about it.
    private struct Page {
        let items: ArraySlice<JSONValue>
        let values: [String: JSONValue]

        /// Nil: no such page, or nothing was selected by a parameter.
        init?(of items: [JSONValue], _ paging: Paging?, _ query: Query) {
            if items.isEmpty && !query.parameters.isEmpty { return nil }
            let size = paging?.size ?? max(items.count, 1)
            let count = max(1, (items.count + size - 1) / size)
            let asked = paging.flatMap { query.item($0.query) } ?? "1"
            guard let number = Int(asked), (1...count).contains(number) else { return nil }
            func link(_ page: Int) -> JSONValue {
                guard let paging, (1...count).contains(page) else { return .null }
                return .string("\(query.url)?\(paging.query)=\(page)")
            }
            self.items = items[(number - 1) * size..<min(number * size, items.count)]
            values = [
                "page": .number("\(number)"), "pages": .number("\(count)"),
                "total": .number("\(items.count)"),
                "next": link(number + 1), "previous": link(number - 1),
            ]
        }
    }
}

extension SandboxPath {
    func text(with parameters: [String: String]) -> String {
        segments.map { segment in
            segment.prefix + (segment.parameter.flatMap { parameters[$0] } ?? "") + segment.suffix
        }.joined(separator: "/")
    }
}
