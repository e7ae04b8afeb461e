import PorticoConfig
import PorticoSchema
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Testing

/// Pictures through the repository.
@Suite struct ImageTests {
    private struct Seen: Equatable {
        var data: [UInt8]
        var type: String?
        var isPlaceholder: Bool
        var reason: String?
    }

    private func seen(_ answer: Answer) throws -> Seen {
        let fields = try answer.fields(TestSchema.imageID)
        var cursor = ProtobufCursor(0..<answer.message.count)
        var data: [UInt8] = []
        while let tag = try cursor.nextTag(in: answer.message.span) {
            if tag.field == 1 {
                data = Array(answer.message[try cursor.lengthDelimited(in: answer.message.span)])
            } else {
                try cursor.skip(tag.wireType, in: answer.message.span)
            }
        }
        return Seen(
            data: data, type: fields.text("content_type"), isPlaceholder: fields.isSet("placeholder"),
            reason: fields.text("reason"))
    }

    private let poster = Request.picture(width: 500, path: "/abc.png")

    @Test func aPictureIsFetchedOnceAndThenAtHand() async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 200, body: Pictures.png) }
        #expect(harness.cached(TestSchema.picture, poster) == nil)
        let first = try await harness.call(TestSchema.picture, poster)
        #expect(first.origin == .miss)
        #expect(try seen(first) == Seen(data: Pictures.png, type: "image/png", isPlaceholder: false))
        #expect(try first.fields(TestSchema.imageID).text("etag") == SHA256.name(Pictures.png))
        let second = try #require(harness.cached(TestSchema.picture, poster))
        #expect(second.origin == .hit)
        #expect(second.message == first.message)
        #expect(harness.pictures.targets == ["/p/w500/abc.png"])
    }

    @Test(arguments: Pictures.all) func theTypeIsByTheBytesAndNotByTheHeader(
        facts: ImageFacts, bytes: [UInt8]
    ) async throws {
        let harness = try Harness.ofPictures(configure: { $0.images.allowSVG = true }) { _ in
            HTTPResponse(status: 200, fields: [HTTPField("Content-Type", "text/html")], body: bytes)
        }
        #expect(try seen(try await harness.call(TestSchema.picture, poster)).type == facts.format.rawValue)
    }

    @Test(arguments: [
        (HTTPResponse.json("<html>"), "not a picture"), (.json(""), "not a picture"),
        (.json("", status: 404), "404"),
        (HTTPResponse(status: 200, body: Pictures.png.dropLast()), "cut short"),
        (.json("", status: 500), "500"),
        (
            HTTPResponse(status: 302, fields: [HTTPField("Location", "https://evil.example/p/x")]),
            "redirected"
        ),
    ])
    func whatIsNoPictureIsThePlaceholder(response: HTTPResponse, reason: String) async throws {
        let harness = try Harness.ofPictures { _ in response }
        let seen = try seen(try await harness.call(TestSchema.picture, poster))
        #expect(seen.isPlaceholder && seen.data == StoredImage.placeholder && seen.type == "image/png")
        #expect(seen.reason?.contains(reason) == true)
    }

    @Test(arguments: [
        TransportError.unreachable, .timedOut, .truncated(atByte: 5), .bodyTooLong(limitBytes: 9), .malformed,
    ])
    func whatCannotBeHadIsThePlaceholder(error: TransportError) async throws {
        let harness = try Harness.ofPictures { _ throws(TransportError) in throw error }
        let seen = try seen(try await harness.call(TestSchema.picture, poster))
        #expect(seen.isPlaceholder)
        #expect(seen.reason?.contains("upstream 'pictures'") == true)
    }

    @Test func thePlaceholderItselfIsAWholePicture() throws {
        let limits = ImageLimits(pixels: 4096, frames: 1, allowsSVG: false)
        let bytes = StoredImage.placeholder
        let facts = try ImageInspector.inspect(bytes.span, within: limits)
        #expect(facts == ImageFacts(format: .png, width: 64, height: 64))
    }

    @Test func aDownloadThatBreaksOffGoesOnInTheNextAttempt() async throws {
        let fields = [HTTPField("ETag", "\"a\""), HTTPField("Accept-Ranges", "bytes")]
        let size = Pictures.png.count
        let retrying = { (configuration: inout Configuration) in
            configuration.upstreams["pictures"]?.retry.attempts = 3
            configuration.upstreams["pictures"]?.retry.baseDelay = .zero
        }
        let harness = try Harness.ofPictures(configure: retrying) {
            request throws(TransportError) in
            if request.fields.contains(HTTPField("Range", "bytes=9-")) {
                let range = HTTPField("Content-Range", "bytes 9-\(size - 1)/\(size)")
                return HTTPResponse(status: 206, fields: fields + [range], body: Array(Pictures.png[9...]))
            }
            request.salvage?(HTTPResponse(status: 200, fields: fields, body: Array(Pictures.png.prefix(9))))
            throw .truncated(atByte: 9)
        }
        #expect(try seen(try await harness.call(TestSchema.picture, poster)).data == Pictures.png)
        #expect(harness.pictures.requests.count == 2)
        #expect(harness.repository.statistics.imageSavings[.resuming] == 9)
    }

    @Test func aPartThatNobodyAskedForIsNoPicture() async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 206, body: Pictures.png) }
        #expect(try seen(try await harness.call(TestSchema.picture, poster)).isPlaceholder)
    }

    @Test func aFailureIsRememberedOnlyShortly() async throws {
        let harness = try Harness.ofPictures { _ in .json("", status: 404) }
        _ = try await harness.call(TestSchema.picture, poster)
        harness.clock.advance(by: .seconds(29))
        #expect(try seen(try await harness.call(TestSchema.picture, poster)).isPlaceholder)
        #expect(harness.pictures.requests.count == 1)
        harness.clock.advance(by: .seconds(1))
        harness.pictures.answer { _ in HTTPResponse(status: 200, body: Pictures.png) }
        #expect(try seen(try await harness.call(TestSchema.picture, poster)).isPlaceholder == false)
    }

    @Test func theLimitOfTheEnvironmentIsAskedOfTheTransport() async throws {
        let harness = try Harness.ofPictures(configure: { $0.images.maxImageBytes = 77 }) { _ in .json("") }
        _ = try await harness.call(TestSchema.picture, poster)
        #expect(harness.pictures.requests.first?.bodyLimitBytes == 77)
    }

    @Test func aPictureOnDiskOutlivesTheProcess() async throws {
        let directory = try TemporaryDirectory()
        let first = try Harness.ofPictures(directory: directory.path) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        _ = try await first.call(TestSchema.picture, poster)
        await first.repository.settleDisk()
        let second = try Harness.ofPictures(directory: directory.path) { _ throws(TransportError) in
            throw .unreachable
        }
        let answer = try await second.call(TestSchema.picture, poster)
        #expect(answer.origin == .hit)
        #expect(try seen(answer).data == Pictures.png)
        #expect(second.pictures.requests.isEmpty)
        #expect(second.cached(TestSchema.picture, poster)?.origin == .hit)
    }

    @Test func aDamagedFileIsFetchedAgain() async throws {
        let directory = try TemporaryDirectory()
        let first = try Harness.ofPictures(directory: directory.path) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        _ = try await first.call(TestSchema.picture, poster)
        await first.repository.settleDisk()
        let file = try #require(directory.files.first)
        var bytes = directory.read(file)
        bytes[40] ^= 1
        directory.write(bytes, to: file)
        let second = try Harness.ofPictures(directory: directory.path) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        #expect(try seen(try await second.call(TestSchema.picture, poster)).data == Pictures.png)
        #expect(second.log.all.contains(.diskEntryDropped(file: file)))
        #expect(second.pictures.requests.count == 1)
    }

    @Test func withoutItsDirectoryTheCacheIsInMemoryAndSaysSoOnce() async throws {
        let harness = try Harness.ofPictures(directory: "/proc/none") { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        _ = try await harness.call(TestSchema.picture, poster)
        #expect(harness.cached(TestSchema.picture, poster)?.origin == .hit)
        #expect(harness.log.all == [.directoryUnusable(directory: "/proc/none")])
    }

    @Test func anOldPictureIsGivenAtOnceAndRefreshedBehind() async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 200, body: Pictures.png) }
        _ = try await harness.call(TestSchema.picture, poster)
        harness.clock.advance(by: .seconds(24 * 3600))
        let gate = Gate()
        harness.pictures.answer { _ throws(TransportError) in
            try await gate.pass()
            return HTTPResponse(status: 200, body: Pictures.gif)
        }
        let stale = try #require(harness.cached(TestSchema.picture, poster))
        #expect(stale.origin == .stale)
        #expect(stale.age == .seconds(24 * 3600))
        #expect(harness.cached(TestSchema.picture, poster)?.origin == .stale)
        await gate.wait(arrivals: 1)
        gate.open()
        while harness.cached(TestSchema.picture, poster)?.origin == .stale { await Task.yield() }
        #expect(try seen(try #require(harness.cached(TestSchema.picture, poster))).data == Pictures.gif)
        #expect(harness.pictures.requests.count == 2)
    }

    @Test func equalRequestsShareOneDownload() async throws {
        let gate = Gate()
        let harness = try Harness.ofPictures { _ throws(TransportError) in
            try await gate.pass()
            return HTTPResponse(status: 200, body: Pictures.png)
        }
        let calls = (0..<3).map { _ in Task { try await harness.call(TestSchema.picture, poster) } }
        await gate.wait(arrivals: 1)
        await harness.clock.waitForSleepers(3)
        gate.open()
        for call in calls { #expect(try await call.value.origin == .miss) }
        #expect(harness.pictures.requests.count == 1)
    }

    @Test(arguments: ["/../x", "a//b", "a%2fb", "..", "a\\b"]) func aPathWithATrickIsTheCallersFault(
        path: String
    ) async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 200, body: Pictures.png) }
        let error = await #expect(throws: CallError.self) {
            try await harness.call(TestSchema.picture, Request.picture(width: 500, path: path))
        }
        #expect(error?.code == .invalidArgument)
        #expect(harness.pictures.requests.isEmpty)
    }

    @Test(arguments: [
        "http://pictures.example/p/a.png", "https://evil.example/p/a.png",
        "https://pictures.example:444/p/a.png",
        "https://pictures.example/other/a.png", "https://pictures.example/p/../a.png",
        "https://x@pictures.example/p/a.png",
        "https://pictures.example/p/%2e%2e/a.png", "https://pictures.example/p/a%2Fb.png",
        "file:///etc/passwd", "a.png", "",
    ])
    func onlyURLsUnderTheBaseAreFetched(url: String) async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 200, body: Pictures.png) }
        let seen = try seen(try await harness.call(TestSchema.photo, Request.text(3, url)))
        #expect(seen.isPlaceholder && seen.reason?.isEmpty == false)
        #expect(harness.pictures.requests.isEmpty)
    }

    @Test func aURLUnderTheBaseIsFetched() async throws {
        let harness = try Harness.ofPictures { _ in HTTPResponse(status: 200, body: Pictures.png) }
        let request = Request.text(3, "https://pictures.example/p/x/small.png?v=2")
        #expect(try seen(try await harness.call(TestSchema.photo, request)).isPlaceholder == false)
        #expect(harness.pictures.targets == ["/p/x/small.png?v=2"])
        #expect(harness.cached(TestSchema.photo, request)?.origin == .hit)
    }

    @Test func aPictureCanBeNamedByAnotherAnswer() async throws {
        let harness = try Harness.ofPictures(things: { request in
            request.url.path.hasSuffix("/7")
                ? .json(
                    #"{"status":"success","data":{"name":"x","photo":"https://pictures.example/p/7.png"}}"#)
                : .json(#"{"status":"success","data":{"name":"x","photo":""}}"#)
        }) { _ in HTTPResponse(status: 200, body: Pictures.png) }
        #expect(harness.cached(TestSchema.itemPhoto, Request.text(1, "7")) == nil)
        let whole = try await harness.call(TestSchema.itemPhoto, Request.text(1, "7"))
        #expect(try seen(whole).data == Pictures.png)
        #expect(harness.cached(TestSchema.itemPhoto, Request.text(1, "7"))?.origin == .hit)
        let none = try await harness.call(TestSchema.itemPhoto, Request.text(1, "8"))
        #expect(try seen(none).isPlaceholder)
        #expect(try seen(none).reason == "there is no picture")
    }

    @Test func theFailureOfThatOtherAnswerIsAFailure() async throws {
        let harness = try Harness.ofPictures(things: { _ in .json(#"{"message":"no such item"}"#, status: 404)
        }) { _ in
            HTTPResponse(status: 200, body: Pictures.png)
        }
        await #expect(throws: CallError(.notFound, "no such item")) {
            try await harness.call(TestSchema.itemPhoto, Request.text(1, "7"))
        }
    }

    @Test func secretsOfTheEnvironmentAreNotInFileNamesOrFiles() async throws {
        let directory = try TemporaryDirectory()
        let harness = try Harness.ofPictures(
            directory: directory.path,
            configure: { $0.upstreams["pictures"]?.query["key"] = Secret("s3cret") }
        ) { _ in HTTPResponse(status: 200, body: Pictures.png) }
        _ = try await harness.call(TestSchema.picture, poster)
        #expect(harness.pictures.targets == ["/p/w500/abc.png?key=s3cret"])
        await harness.repository.settleDisk()
        let file = try #require(directory.files.first)
        #expect(String(decoding: directory.read(file), as: UTF8.self).contains("s3cret") == false)
    }
}
