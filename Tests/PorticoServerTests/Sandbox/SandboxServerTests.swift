import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoSchema
import PorticoTranscode
import Testing

@testable import PorticoServer

/// A folder of sample upstreams for one test, served on a port of its own.
private func withSandbox(
    _ files: [String: String], faults: Bool = true, _ body: (SocketAddress) throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portico-sandbox-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in files {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
    let loop = try EventLoop()
    try loop.start()
    var configuration = Configuration.Sandbox()
    configuration.faults = faults
    do {
        let server = try await SandboxServer.start(
            serving: SandboxContent(readingFrom: folder), configuration: configuration, loop: loop)
        try body(server.address)
    } catch {
        loop.stop()
        await loop.join()
        throw error
    }
    loop.stop()
    await loop.join()
}

private let zoo = [
    "README.md": "not served",
    "zoo/animals.json": """
    [{"id": 1, "name": "Ape", "pens": [1, 2], "day": ["mon", "tue"], "picture": "{{origin}}/pictures/ape.png"},
     {"id": "2", "name": "Bee", "pens": [], "day": ["tue"], "picture": null},
     {"id": 3, "name": "Cat", "pens": [3], "day": ["mon"], "picture": null},
     {"name": "Nameless", "pens": null, "day": null, "picture": null}]
    """,
    "zoo/note.txt": "at {{origin}}",
    "zoo/routes.json": """
    // comments and trailing commas are welcome
    { "routes": [
        { "path": "animals/", "list": "animals.json", "pageSize": 2,
          "item": { "name": "{{name}}", "pens": "{{origin}}/pens/{{pens}}/", "picture": "{{picture}}" },
          "answer": { "count": "{{total}}", "next": "{{next}}", "previous": "{{previous}}", "results": "{{items}}" } },
        { "path": "animals/{id}/", "one": "animals.json", "item": { "id": "{{id}}", "was": "{{path.id}}" },
          "answer": { "status": "success", "data": "{{item}}" }, "missing": { "status": "failed" }, "missingStatus": 200 },
        { "path": "on/{day}", "list": "animals.json", "item": "{{name}}", "headers": { "Cache-Control": "max-age=60" } },
        { "path": "notes/{size}/{name}", "file": "{name}.txt" },
        { "path": "teapot", "answer": { "short": true }, "status": 418 },
    ] }
    """,
    "pictures/ape.png": "\u{1}\u{2}",
    "pictures/deep/list.json": #"{"origin": "{{origin}}", "things": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}"#,
]

@Suite struct SandboxRouteTests {
    @Test func aListIsPagedWithLinksToItsNeighbours() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            let page = "http://\(address)/zoo/animals/?page="
            #expect(
                client.get("/zoo/animals/")?.body == """
                    {"count":4,"next":"\(page)2","previous":null,"results":[\
                    {"name":"Ape","pens":["http://\(address)/pens/1/","http://\(address)/pens/2/"],\
                    "picture":"http://\(address)/pictures/ape.png"},\
                    {"name":"Bee","pens":[],"picture":null}]}
                    """)
            let second = client.get("/zoo/animals/?page=2")?.body ?? ""
            #expect(
                second.hasPrefix(#"{"count":4,"next":null,"previous":"\#(page)1","results":[{"name":"Cat""#))
        }
    }

    @Test(arguments: ["3", "0", "-1", "x", ""]) func thereIsNoPagePastTheEnd(page: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            let answer = client.get("/zoo/animals/?page=\(page)")
            #expect(answer?.status == 404)
            #expect(answer?.body == #"{"detail":"Not found"}"#)
        }
    }

    @Test(arguments: [
        ("/zoo/animals/1/", 200, #"{"status":"success","data":{"id":1,"was":"1"}}"#),
        ("/zoo/animals/2", 200, #"{"status":"success","data":{"id":"2","was":"2"}}"#),
        ("/zoo/animals/9", 200, #"{"status":"failed"}"#),
        ("/zoo/on/mon", 200, #"["Ape","Cat"]"#),
        ("/zoo/on/sun", 404, #"{"detail":"Not found"}"#),
        ("/zoo/teapot", 418, #"{"short":true}"#),
        ("/zoo/animals.json", 404, #"{"detail":"Not found"}"#),
        ("/zoo/notes/1/nobody", 404, #"{"detail":"Not found"}"#),
        ("/zoo/notes/1/..%2F..%2FREADME", 404, #"{"detail":"Not found"}"#),
        ("/pictures/../README.md", 404, #"{"detail":"Not found"}"#),
        ("/pictures//ape.png?width=3", 200, "\u{1}\u{2}"),
        ("/nowhere", 404, #"{"detail":"Not found"}"#),
        ("/", 404, #"{"detail":"Not found"}"#),
    ])
    func pathsLeadToAnswers(path: String, status: Int, body: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            let answer = client.get(path)
            #expect(answer?.status == status)
            #expect(answer?.body == body)
        }
    }

    @Test func filesKnowTheirTypeAndTextKnowsTheOrigin() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(client.get("/zoo/notes/any/note")?.body == "at http://\(address)")
            #expect(client.get("/pictures/ape.png")?.head.contains("Content-Type: image/png") == true)
            #expect(client.get("/zoo/on/mon")?.head.contains("Cache-Control: max-age=60") == true)
            #expect(client.get("/pictures/deep/list.json")?.body.contains("http://\(address)") == true)
        }
    }

    @Test func anAnswerTheClientHasIsNotSentAgain() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            let head = client.get("/pictures/ape.png")?.head ?? ""
            let field = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
            client.send(
                "GET /pictures/ape.png HTTP/1.1\r\nHost: a\r\nIf-None-Match: \(field.dropFirst(6))\r\n\r\n")
            let again = client.readResponse()
            #expect(again?.status == 304)
            #expect(again?.body == "")
        }
    }

    @Test func onlyReadingIsAllowed() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            client.send("PUT /zoo/teapot HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            let answer = client.readResponse()
            #expect(answer?.status == 405)
            #expect(answer?.head.contains("Allow: GET, HEAD") == true)
        }
    }

    @Test func whatIsWrittenIsServedFromThenOn() async throws {
        let files = [
            "zoo/animals.json": #"[{"id": "a", "name": "Ape"}]"#,
            "zoo/routes.json": """
            { "routes": [
                { "path": "animals", "list": "animals.json" },
                { "path": "animals", "create": "animals.json", "key": "id" },
                { "path": "animals/{id}", "replace": "animals.json", "answer": { "data": "{{item}}" } },
            ] }
            """,
        ]
        try await withSandbox(files) { address in
            let client = try RawClient(address)
            func send(_ method: String, _ path: String, _ body: String) -> (Int?, String?) {
                client.send(
                    "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                let answer = client.readResponse()
                return (answer?.status, answer?.body)
            }
            #expect(
                send("POST", "/zoo/animals", #"{"id":"b","name":"Bee"}"#) == (
                    201, #"{"id":"b","name":"Bee"}"#
                ))
            #expect(
                send("PUT", "/zoo/animals/a", #"{"name":"Cat"}"#) == (
                    200, #"{"data":{"id":"a","name":"Cat"}}"#
                ))
            #expect(send("PUT", "/zoo/animals/z", "{}") == (404, #"{"detail":"Not found"}"#))
            #expect(
                send("PUT", "/zoo/animals/a", "no") == (400, #"{"detail":"The body is not a JSON object."}"#))
            #expect(send("POST", "/zoo/animals", #"{"id":"b"}"#) == (409, #"{"detail":"That id is taken."}"#))
            #expect(send("DELETE", "/zoo/animals", "").0 == 405)
            #expect(client.get("/zoo/animals")?.body == #"[{"id":"a","name":"Cat"},{"id":"b","name":"Bee"}]"#)
            _ = send("POST", "/_sandbox/faults", #"{"path":"zoo/animals","fault":"fail","times":1}"#)
            #expect(send("POST", "/zoo/animals", #"{"id":"c"}"#).0 == 500)
            #expect(client.get("/zoo/animals")?.body.contains("\"c\"") == false)
        }
    }

    @Test func everyFaultOfAFolderIsReportedWithItsPlace() async throws {
        let routes = """
            { "routes": [
                { "path": "a/{b", "list": "x.json" },
                { "path": "a", "lst": "x.json", "answer": 1 },
                { "path": "a", "list": "x.json", "one": "x.json" },
                { "path": "a", "list": "missing.json" },
                { "path": "a" },
                { "path": "a", "file": "{b}" },
                { "path": "a", "list": "x.json", "pageSize": 0 },
                { "path": "a", "create": "x.json" },
                { "path": "a", "replace": "x.json" },
            ] }
            """
        let files = ["bad/routes.json": routes, "bad/x.json": "[{}]", "bad/y.json": "[", "good/z.json": "{}"]
        do {
            try await withSandbox(files) { _ in }
            Issue.record("a bad folder was taken")
        } catch let error as ServerError {
            guard case .badSandbox(let faults) = error else { throw error }
            let places = faults.map {
                "\(URL(filePath: $0.location.file).lastPathComponent):\($0.location.line)"
            }
            #expect(
                places == ["y.json:1"] + [2, 3, 4, 5, 6, 7, 8, 9, 10].map { "routes.json:\($0)" })
        }
    }

    @Test func anAddressThatOthersCanReachIsRefused() async throws {
        let loop = try EventLoop()
        var configuration = Configuration.Sandbox()
        configuration.address = "0.0.0.0:0"
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = try SandboxContent(readingFrom: folder)
        await #expect(throws: ServerError.system(.badAddress("0.0.0.0:0"))) {
            try await SandboxServer.start(serving: content, configuration: configuration, loop: loop)
        }
    }

    @Test func baseURLsOfTheSandboxAreTurnedIntoItsAddress() {
        var configuration = Configuration(environment: "Test")
        configuration.upstreams = [
            "a": .init(baseURL: "sandbox:zoo/v1/"), "b": .init(baseURL: "https://b.example/"),
        ]
        #expect(configuration.needsSandbox)
        let resolved = configuration.resolvingSandbox(port: 81)
        #expect(resolved.upstreams["a"]?.baseURL == "http://127.0.0.1:81/zoo/v1/")
        #expect(resolved.upstreams["b"]?.baseURL == "https://b.example/")
        #expect(!resolved.needsSandbox)
    }
}

@Suite struct SandboxFaultTests {
    private static func tell(_ client: borrowing RawClient, _ fault: String) -> Int? {
        client.send(
            "POST /_sandbox/faults HTTP/1.1\r\nHost: a\r\nContent-Length: \(fault.utf8.count)\r\n\r\n\(fault)"
        )
        return client.readResponse()?.status
    }

    @Test(arguments: [
        (#""slow", "delayMs": 1"#, 200, #"["Ape","Cat"]"#),
        (#""fail""#, 500, #"{"detail":"The sandbox was told to fail."}"#),
        (#""fail", "status": 429, "retryAfter": 2"#, 429, #"{"detail":"The sandbox was told to fail."}"#),
        (#""empty""#, 200, "[]"),
    ])
    func aFaultLastsAsOftenAsItWasTold(fault: String, status: Int, body: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "/zoo/on/mon/", "times": 2, "fault": \#(fault)}"#) == 204)
            for _ in 0..<2 {
                let answer = client.get("/zoo/on/mon")
                #expect(answer?.status == status)
                #expect(answer?.body == body)
            }
            #expect(client.get("/zoo/on/mon")?.body == #"["Ape","Cat"]"#)
            #expect(client.get("/_sandbox/requests")?.body == #"{"zoo/on/mon":3}"#)
        }
    }

    @Test func anItemLosesAKeyAlsoInsideAnObjectAndInAFile() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "*", "fault": "malformed", "key": "a"}"#) == 204)
            let body = client.get("/pictures/deep/list.json")?.body
            #expect(body == #"{"origin":"http://\#(address)","things":[{"b":2},{"a":3,"b":4}]}"#)
            #expect(Self.tell(client, #"{"path": "zoo/animals", "fault": "malformed"}"#) == 204)
            let second = client.get("/zoo/animals/?page=2")?.body
            #expect(second?.contains(#"{"name":"Cat","pens":["http://\#(address)/pens/3/"]},"#) == true)
        }
    }

    @Test func anAnswerMayBeNoJSON() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "notJSON"}"#) == 204)
            let answer = client.get("/zoo/teapot")
            #expect(answer?.status == 200)
            #expect(answer?.head.contains("Content-Type: text/html") == true)
        }
    }

    @Test(arguments: ["truncate", "reset"]) func aConnectionMayEndTooEarly(fault: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "\#(fault)", "times": 1}"#) == 204)
            #expect(client.get("/zoo/teapot") == nil)
            let next = try RawClient(address)
            #expect(next.get("/zoo/teapot")?.status == 418)
        }
    }

    @Test(arguments: [
        (#""tooShort", "bytes": 3"#, "Content-Length: 17\r\n", #"{"short":true}"#),
        (#""tooLong", "bytes": 4"#, "Content-Length: 10\r\n", #"{"short":true}"#),
        (#""trickle", "bytes": 50, "everyMs": 1"#, "Content-Length: 14\r\n", #"{"short":true}"#),
        (#""notHTTP""#, "220 mail.example", ""),
    ])
    func anAnswerMayBeWrongOnTheWire(fault: String, head: String, body: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "times": 1, "fault": \#(fault)}"#) == 204)
            client.send("GET /zoo/teapot HTTP/1.1\r\nHost: a\r\n\r\n")
            let bytes = client.readToEnd()
            #expect(bytes.contains(head))
            #expect(bytes.hasSuffix("\r\n\r\n" + body))
        }
    }

    @Test(arguments: [
        ("redirect", "http://sandbox.invalid/"), (#"redirect", "to": "/elsewhere"#, "/elsewhere"),
        ("redirectLoop", "http://ADDRESS/zoo/teapot"),
    ])
    func aRedirectLeadsElsewhereOrNowhere(fault: String, target: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "\#(fault)"}"#) == 204)
            let answer = client.get("/zoo/teapot")
            #expect(answer?.status == 302)
            let location = target.replacing("ADDRESS", with: "\(address)")
            #expect(answer?.head.contains("\r\nLocation: \(location)") == true)
        }
    }

    @Test func anEndlessBodyEndsWhenThePeerLeaves() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "endless", "times": 1}"#) == 204)
            client.send("GET /zoo/teapot HTTP/1.1\r\nHost: a\r\n\r\n")
            var count = 0
            while count < 8 << 10, let bytes = client.read() { count += bytes.count }
            #expect(count >= 8 << 10)
            let other = try RawClient(address)
            #expect(other.get("/zoo/teapot")?.status == 418)
        }
    }

    @Test func aHangingRequestDoesNotHoldUpOthers() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "hang", "times": 1}"#) == 204)
            client.send("GET /zoo/teapot HTTP/1.1\r\nHost: a\r\n\r\n")
            let other = try RawClient(address)
            while other.get("/_sandbox/requests")?.body != #"{"zoo/teapot":1}"# {}
            #expect(other.get("/zoo/teapot")?.status == 418)
        }
    }

    @Test func faultsAreListedAndCleared() async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "fail", "times": 3}"#) == 204)
            #expect(
                client.get("/_sandbox/faults")?.body == #"[{"path":"zoo/teapot","fault":"fail","times":3}]"#)
            client.send("DELETE /_sandbox/faults HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readResponse()?.status == 204)
            #expect(client.get("/_sandbox/faults")?.body == "[]")
            #expect(client.get("/zoo/teapot")?.status == 418)
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"path": "a", "fault": "explode"}"#,
        #"{"path": "a", "fault": "slow", "delayMs": -1}"#,
        #"{"path": "a", "fault": "redirect", "to": "/x\r\nA: b"}"#,
    ])
    func aFaultThatIsNoneIsRefused(body: String) async throws {
        try await withSandbox(zoo) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, body) == 400)
        }
    }

    @Test func withoutLeaveItDoesNotMisbehave() async throws {
        try await withSandbox(zoo, faults: false) { address in
            let client = try RawClient(address)
            #expect(Self.tell(client, #"{"path": "zoo/teapot", "fault": "fail"}"#) == 404)
            #expect(client.get("/zoo/teapot")?.status == 418)
        }
    }
}
