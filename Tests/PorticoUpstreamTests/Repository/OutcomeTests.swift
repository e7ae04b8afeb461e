import PorticoConfig
import PorticoUpstream
import PorticoWire
import Testing

/// What a client is told about an upstream that did not do as it should.
@Suite struct OutcomeTests {
    private func item(
        configure: (inout Configuration) -> Void = { _ in }, _ answer: @escaping FakeTransport.Answering
    ) async throws -> (error: CallError?, harness: Harness) {
        let harness = try Harness(
            configure: {
                $0.upstreams["things"]?.retry.attempts = 1
                configure(&$0)
            }, things: answer)
        do throws(CallError) {
            _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
            return (nil, harness)
        } catch {
            return (error, harness)
        }
    }

    private func list(_ answer: @escaping FakeTransport.Answering) async throws -> CallError? {
        let harness = try Harness(configure: { $0.upstreams["things"]?.retry.attempts = 1 }, things: answer)
        do throws(CallError) {
            _ = try await harness.call(TestSchema.list)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (300, StatusCode.failedPrecondition), (400, .failedPrecondition), (401, .permissionDenied),
        (403, .permissionDenied), (404, .notFound), (409, .failedPrecondition), (429, .resourceExhausted),
        (500, .unavailable), (503, .unavailable), (599, .unavailable), (199, .failedPrecondition),
    ])
    func onlyStatusesFrom200To299AreSuccess(status: Int, code: StatusCode) async throws {
        let error = try await list { _ in .json("{}", status: status) }
        #expect(error == CallError(code, "upstream 'things' answered \(status)"))
    }

    @Test(arguments: [
        (#"{"errors":{"message":"first"},"error":{"message":"second"},"message":"third"}"#, "first"),
        (#"{"error":{"message":"second"},"message":"third"}"#, "second"), (#"{"message":"third"}"#, "third"),
        (#"{"errors":{"message":""},"message":"third"}"#, "third"),
        (#"{"errors":[1]}"#, "Please check your internet connection and try again."),
        ("<html>", "Please check your internet connection and try again."),
        ("", "Please check your internet connection and try again."),
    ])
    func theErrorTextIsTheFirstOneFound(body: String, text: String) async throws {
        let (error, _) = try await item { _ in .json(body, status: 404) }
        #expect(error == CallError(.notFound, text))
    }

    @Test func anEnvelopeDecidesWhateverHTTPSays() async throws {
        let (error, _) = try await item { _ in
            .json(#"{"status":"failed","message":"no such item","data":{}}"#)
        }
        #expect(error == CallError(.failedPrecondition, "no such item"))
    }

    @Test func anEnvelopeWithoutItsStatusIsNoSuccess() async throws {
        let (error, _) = try await item { _ in .json(#"{"data":{"name":"x"}}"#) }
        #expect(error?.code == .failedPrecondition)
    }

    @Test func aGoodEnvelopeIsUnwrapped() async throws {
        let harness = try Harness { _ in .json(#"{"status":"success","data":{"name":"x"}}"#) }
        let answer = try await harness.call(TestSchema.item, Request.text(1, "7"))
        #expect(try answer.json(TestSchema.itemID) == #"{"name":"x"}"#)
    }

    @Test func aFailedConnectionIsUnavailable() async throws {
        let error = try await list { _ throws(TransportError) in throw .unreachable }
        #expect(error == CallError(.unavailable, "upstream 'things' cannot be reached"))
        let (worded, _) = try await item { _ throws(TransportError) in throw .unreachable }
        #expect(worded == CallError(.unavailable, "Please check your internet connection and try again."))
    }

    @Test func aTimeoutIsDeadlineExceeded() async throws {
        let error = try await list { _ throws(TransportError) in throw .timedOut }
        #expect(error == CallError(.deadlineExceeded, "upstream 'things' took too long to answer"))
    }

    @Test(arguments: [
        ("", "byte 0"), ("   ", "things"), ("<html>", "byte 0"),
        (#"{"count":1,"results":[{"name":"x"}"#, "byte 34"),
        ("{}x", "byte 2"), ("[1]", "byte 0"), (#"{"count":tru}"#, "byte"), ("null", "things"),
        ("\u{feff}{}", "byte 0"),
    ])
    func anUnreadableBodyIsInternalAndSaysWhere(body: String, place: String) async throws {
        let error = try #require(try await list { _ in .json(body) })
        #expect(error.code == .internal)
        #expect(error.message.contains("upstream 'things'"))
        #expect(error.message.contains(place))
    }

    @Test func aTruncatedOrOversizedBodyIsInternalAndSaysWhere() async throws {
        let truncated = try await list { _ throws(TransportError) in throw .truncated(atByte: 17) }
        #expect(
            truncated
                == CallError(
                    .internal, "upstream 'things': the connection ended early, at byte 17 of the answer"))
        let long = try await list { _ throws(TransportError) in throw .bodyTooLong(limitBytes: 99) }
        #expect(long == CallError(.internal, "upstream 'things': the answer goes past the limit, at byte 99"))
    }

    @Test func secretsAreTakenOutOfAnUpstreamsWords() async throws {
        let (error, harness) = try await item(configure: {
            $0.upstreams["things"]?.query["key"] = Secret("s3cr/t")
            $0.upstreams["things"]?.headers["X-Token"] = Secret("t0ken")
        }) { request in
            .json(#"{"message":"bad key s3cr/t in \#(request.url.query ?? ""), t0ken"}"#, status: 401)
        }
        #expect(error == CallError(.permissionDenied, "bad key «secret» in key=«secret», «secret»"))
        #expect(harness.things.targets == ["/api/item/7?key=s3cr%2Ft"])
        #expect(harness.things.requests.first?.fields.contains(HTTPField("X-Token", "t0ken")) == true)
    }

    @Test func aRedirectWithinTheBaseIsFollowed() async throws {
        let harness = try Harness { request in
            request.url.path == "/api/item/7"
                ? .json("", status: 301, fields: [HTTPField("location", "../items/7/")])
                : .json(#"{"status":"success","data":{"name":"x"}}"#)
        }
        _ = try await harness.call(TestSchema.item, Request.text(1, "7"))
        #expect(harness.things.targets == ["/api/item/7", "/api/items/7/"])
    }

    @Test(arguments: [
        "http://evil.example/api/", "https://things.example/api/", "http://things.example:81/api/", "/other/",
        "/api/%2e%2e/x", "//evil.example/api/", "file:///etc/passwd",
        "http://things.example@evil.example/api/",
    ])
    func aRedirectOutOfTheBaseIsRefused(location: String) async throws {
        let (error, harness) = try await item { _ in
            .json("", status: 302, fields: [HTTPField("Location", location)])
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("redirected") == true)
        #expect(harness.things.requests.count == 1)
    }

    @Test func redirectsEndAfterThree() async throws {
        let (error, harness) = try await item { request in
            .json("", status: 302, fields: [HTTPField("Location", request.url.path + "x")])
        }
        #expect(error?.message == "upstream 'things' redirected more than 3 times")
        #expect(harness.things.requests.count == 4)
    }

    @Test func aMissingPathFieldIsTheCallersFault() async throws {
        let harness = try Harness { _ in .json("{}") }
        await #expect(throws: CallError(.invalidArgument, "the field 'id' is needed")) {
            try await harness.call(TestSchema.item)
        }
        await #expect(throws: CallError(.invalidArgument, "the request is not a valid test.v1.ItemRequest")) {
            try await harness.call(TestSchema.item, [0xff])
        }
        #expect(harness.things.requests.isEmpty)
    }

    @Test func whatHasNoUpstreamIsUnimplemented() async throws {
        let harness = try Harness { _ in .json("{}") }
        await #expect(throws: CallError(.unimplemented, "test.v1.Things/About has no upstream")) {
            try await harness.call(TestSchema.about)
        }
    }
}
