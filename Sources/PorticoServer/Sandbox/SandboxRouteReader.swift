import PorticoSchema
import PorticoTranscode

/// Turns a `routes.json` into routes, and reports everything that is wrong with it.
struct SandboxRouteReader {
    /// Whether a file of the folder is a JSON array of objects.
    private let isData: (String) -> Bool
    private(set) var faults: [DocumentFault] = []

    init(isData: @escaping (String) -> Bool) { self.isData = isData }

    private static let topKeys = ["routes"]
    private static let keys = [
        "path", "list", "one", "file", "pageSize", "pageQuery", "item", "answer", "status", "missing",
        "missingStatus", "headers", "create", "key", "replace",
    ]
    private static let sources = ["list", "one", "file", "create", "replace"]

    mutating func routes(of document: JSONDocument) -> [SandboxRoute] {
        checkKeys(of: document, Self.topKeys)
        guard let list = document["routes"], case .array(let elements) = list.content else {
            report(document, "it needs \"routes\", a list")
            return []
        }
        return elements.compactMap { route($0) }
    }

    private mutating func route(_ document: JSONDocument) -> SandboxRoute? {
        checkKeys(of: document, Self.keys)
        guard let text = text("path", of: document), let path = SandboxPath(text) else {
            report(document["path"] ?? document, "a route needs a \"path\" such as people/{id}/")
            return nil
        }
        guard let source = source(of: document, path) else { return nil }
        let body: SandboxTemplate
        switch source {
        case .list: body = template("answer", of: document) ?? .value(of: "items")
        case .one, .create, .replace: body = template("answer", of: document) ?? .value(of: "item")
        case .file, .fixed: body = template("answer", of: document) ?? .literal(.null)
        }
        let notFound = JSONValue.object([.init("detail", .string("Not found"))])
        return SandboxRoute(
            path: path, source: source, item: template("item", of: document), answer: body,
            status: number("status", of: document, within: 200...599) ?? source.status,
            missing: template("missing", of: document) ?? .literal(notFound),
            missingStatus: number("missingStatus", of: document, within: 200...599) ?? 404,
            fields: headers(of: document))
    }

    private mutating func source(of document: JSONDocument, _ path: SandboxPath) -> SandboxRoute.Source? {
        let named = Self.sources.filter { document[$0] != nil }
        guard named.count <= 1 else {
            report(document, "a route has one source, not \(named.joined(separator: " and "))")
            return nil
        }
        switch named.first {
        case "list":
            return dataFile("list", of: document).map { .list($0, paging(of: document)) }
        case "one":
            return dataFile("one", of: document).map { .one($0) }
        case "create":
            guard let key = text("key", of: document) else {
                report(document, "\"create\" needs \"key\": the field that tells items apart")
                return nil
            }
            return dataFile("create", of: document).map { .create($0, key: key) }
        case "replace":
            if path.parameters.isEmpty {
                report(document, "\"replace\" needs a path that selects: employees/{uuid}")
            }
            return dataFile("replace", of: document).map { .replace($0) }
        case "file":
            guard let file = text("file", of: document).flatMap(SandboxPath.init),
                Set(file.parameters).isSubset(of: path.parameters)
            else {
                report(document["file"] ?? document, "a file's {names} must be parameters of the path")
                return nil
            }
            return .file(file)
        default:
            if document["answer"] == nil { report(document, "a route needs a list, one, file or answer") }
            return .fixed
        }
    }

    private mutating func paging(of document: JSONDocument) -> SandboxRoute.Paging? {
        guard let size = number("pageSize", of: document, within: 1...10_000) else { return nil }
        return SandboxRoute.Paging(size: size, query: text("pageQuery", of: document) ?? "page")
    }

    private mutating func dataFile(_ key: String, of document: JSONDocument) -> String? {
        guard let name = text(key, of: document), isData(name) else {
            report(document[key] ?? document, "\"\(key)\" names no data file with a JSON array of objects")
            return nil
        }
        return name
    }

    private mutating func headers(of document: JSONDocument) -> [HTTPRequest.Field] {
        guard let headers = document["headers"] else { return [] }
        guard case .object(let members) = headers.content else {
            report(headers, "\"headers\" is an object of texts")
            return []
        }
        return members.compactMap { member in
            guard case .string(let value) = member.value.content,
                !(member.name + value).utf8.contains(where: { $0 < 0x20 })
            else {
                report(member.value, "a header's value is a text on one line")
                return nil
            }
            return HTTPRequest.Field(name: member.name, value: value)
        }
    }

    private func template(_ key: String, of document: JSONDocument) -> SandboxTemplate? {
        document[key].map { SandboxTemplate($0.value) }
    }

    private mutating func text(_ key: String, of document: JSONDocument) -> String? {
        guard let value = document[key] else { return nil }
        guard case .string(let text) = value.content else {
            report(value, "\"\(key)\" is a text, not \(value.kindName)")
            return nil
        }
        return text
    }

    private mutating func number(
        _ key: String, of document: JSONDocument, within range: ClosedRange<Int>
    ) -> Int? {
        guard let value = document[key] else { return nil }
        guard case .number(let text) = value.content, let number = Int(text), range.contains(number) else {
            report(value, "\"\(key)\" is a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    private mutating func checkKeys(of document: JSONDocument, _ known: [String]) {
        guard case .object(let members) = document.content else {
            report(document, "an object is expected, not \(document.kindName)")
            return
        }
        for member in members where !known.contains(member.name) {
            let fault = DocumentFault(
                member.nameLocation, "unknown key \"\(member.name)\"; known: \(known.joined(separator: ", "))"
            )
            faults.append(fault)
        }
    }

    private mutating func report(_ document: JSONDocument, _ message: String) {
        faults.append(DocumentFault(document.location, message))
    }
}

extension SandboxRoute.Source {
    /// Of an answer, unless the route says otherwise.
    fileprivate var status: Int {
        switch self {
        case .create: 201
        case .list, .one, .file, .fixed, .replace: 200
        }
    }
}
