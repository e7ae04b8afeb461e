import PorticoTranscode

/// Answers the sandbox's requests: routes over its content, what was written into it, and what it was told to get wrong.
final class SandboxService: HTTPHandler {
    private var content: SandboxContent
    private let origin: String
    private let canMisbehave: Bool
    private var faults = SandboxFaultTable()
    /// Requests met since the start or the last clearing, by path.
    private var requests: [String: Int] = [:]

    /// - Parameter origin: the sandbox's own address as a URL without a path, `http://127.0.0.1:7402`.
    init(_ content: SandboxContent, origin: String, canMisbehave: Bool) {
        self.content = content.resolvingOrigin(origin)
        self.origin = origin
        self.canMisbehave = canMisbehave
    }

    func reply(to request: HTTPRequest) -> HTTPReply {
        if request.segments.first == "_sandbox" { return .send(control(request)) }
        let path = request.segments.joined(separator: "/")
        requests[path, default: 0] += 1
        let allowed = allowedMethods(at: request)
        guard allowed.contains(request.method) else {
            return .send(Self.wrongMethod(allowed.joined(separator: ", ")))
        }
        guard let fault = faults.take(for: path) else { return .send(response(to: request)) }
        return misbehave(fault, for: request)
    }

    private func misbehave(_ fault: SandboxFault, for request: HTTPRequest) -> HTTPReply {
        fault.reply(
            insteadOf: response(to: request, changing: fault.listChange),
            to: origin + Self.path(of: request))
    }

    // MARK: Content

    /// - Parameter change: what becomes of the answer's list.
    private func response(
        to request: HTTPRequest, changing change: (([JSONValue]) -> [JSONValue])? = nil
    ) -> HTTPResponse {
        let answer: SandboxAnswer
        do throws(SandboxWrite.Refusal) {
            guard let found = try self.answer(to: request) else { return .failure(404, "Not found") }
            answer = found
        } catch {
            let detail = JSONValue.object([.init("detail", .string(error.reason))])
            return .json(detail.compactText, status: error.status)
        }
        var response: HTTPResponse
        switch answer {
        case .json(let value, let status, let fields):
            let changed = change.map { value.changingList($0) } ?? value
            response = .json(changed.compactText, status: status)
            response.fields = fields
        case .file(let path, let fields):
            guard let bytes = file(path, of: request) else { return .failure(404, "Not found") }
            let type = ContentType(path: path)
            response = HTTPResponse(contentType: type.name, fields: fields, body: bytes)
            if type.isJSON, let change, let document = try? DocumentReader.read(bytes, file: path) {
                response.body = Array(document.value.changingList(change).compactText.utf8)
            }
        }
        return Self.revalidated(response, for: request)
    }

    /// At this path: of the routes that lead there, else of files.
    private func allowedMethods(at request: HTTPRequest) -> [String] {
        let path = request.segments.dropFirst()
        let routes = request.segments.first.flatMap { content.upstreams[$0]?.routes } ?? []
        let methods = routes.filter { $0.path.match(path) != nil }.flatMap(\.methods)
        return methods.isEmpty ? ["GET", "HEAD"] : methods
    }

    private func answer(to request: HTTPRequest) throws(SandboxWrite.Refusal) -> SandboxAnswer? {
        guard let name = request.segments.first, let upstream = content.upstreams[name] else { return nil }
        let path = request.segments.dropFirst()
        guard let routes = upstream.routes else {
            return .file(path: path.joined(separator: "/"), fields: [])
        }
        for route in routes where route.methods.contains(request.method) {
            guard let parameters = route.path.match(path) else { continue }
            let query = SandboxRoute.Query(
                parameters: parameters, url: origin + Self.path(of: request), origin: origin,
                item: { request[query: $0] }, body: request.body)
            var data = upstream.data
            let answer = try route.answer(to: query, from: &data)
            content.upstreams[name]?.data = data
            return answer
        }
        return nil
    }

    private func file(_ path: String, of request: HTTPRequest) -> [UInt8]? {
        request.segments.first.flatMap { content.upstreams[$0]?.files[path] }
    }

    /// The path as the client wrote it, so that a link to the next page has its slashes where this one has them.
    private static func path(of request: HTTPRequest) -> String {
        guard request.target.hasPrefix("/") else { return "/" + request.segments.joined(separator: "/") }
        return String(request.target.prefix { $0 != "?" })
    }

    /// Adds the entity tag; 304 when the client has the body already (RFC 9110 section 13.1.2).
    private static func revalidated(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard response.status == 200 else { return response }
        var response = response
        let tag = "\"\(String(hash(response.body), radix: 16))\""
        response.fields.append(.init(name: "ETag", value: tag))
        guard request[field: "if-none-match"] == tag else { return response }
        response.status = 304
        response.body = []
        return response
    }

    /// FNV-1a, 64 bits (Fowler, Noll, Vo): equal bodies have equal tags on every run.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    // MARK: Control

    private func control(_ request: HTTPRequest) -> HTTPResponse {
        guard canMisbehave else {
            return .failure(404, "This environment does not let the sandbox misbehave.")
        }
        switch (request.segments.dropFirst().joined(separator: "/"), request.method) {
        case ("faults", "GET"):
            return .json(faults.description.compactText)
        case ("faults", "POST"):
            do throws(SandboxFaultTable.BadFault) {
                try faults.add(describedBy: request.body)
                return HTTPResponse(status: 204, contentType: "", body: [])
            } catch {
                let body = JSONValue.object([.init("detail", .string(error.message))])
                return .json(body.compactText, status: 400)
            }
        case ("faults", "DELETE"):
            faults.removeAll()
            return HTTPResponse(status: 204, contentType: "", body: [])
        case ("requests", "GET"):
            let counts = requests.sorted { $0.key < $1.key }
            let members = counts.map { JSONValue.Member($0.key, .number("\($0.value)")) }
            return .json(JSONValue.object(members).compactText)
        case ("requests", "DELETE"):
            requests = [:]
            return HTTPResponse(status: 204, contentType: "", body: [])
        case ("faults", _): return Self.wrongMethod("GET, POST, DELETE")
        case ("requests", _): return Self.wrongMethod("GET, DELETE")
        case _: return .failure(404, "Not found")
        }
    }

    private static func wrongMethod(_ allowed: String) -> HTTPResponse {
        var response = HTTPResponse.failure(405, "Method not allowed")
        response.fields = [.init(name: "Allow", value: allowed)]
        return response
    }
}
