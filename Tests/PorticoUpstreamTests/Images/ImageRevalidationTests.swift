import PorticoConfig
import PorticoTranscode
import PorticoUpstream
import PorticoWire
import Testing

/// Pictures that are not sent again: by the upstream to the cache, and by the cache to a client.
@Suite struct ImageRevalidationTests {
    private let poster = Request.picture(width: 500, path: "/abc.png")

    private func asking(etag: String) -> [UInt8] { poster + Request.text(4, etag) }

    private func picture(_ tag: String) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: [HTTPField("ETag", tag), HTTPField("Last-Modified", "yesterday")],
            body: Pictures.png)
    }

    private func harness(
        _ directory: TemporaryDirectory? = nil, _ pictures: @escaping FakeTransport.Answering
    ) throws -> Harness {
        try Harness(
            pictures: pictures,
            configure: {
                $0.images.directory = directory?.path
                $0.images.shrinkPNG = false
            },
            things: { _ in .json("{}") })
    }

    private func etag(_ answer: Answer) throws -> String {
        try #require(try answer.fields(TestSchema.imageID).text("etag"))
    }

    @Test func aClientThatHasThePictureGetsNoBytes() async throws {
        let harness = try harness { _ in picture("\"1\"") }
        let whole = try await harness.call(TestSchema.picture, poster)
        let known = try await harness.call(TestSchema.picture, asking(etag: try etag(whole)))
        let fields = try known.fields(TestSchema.imageID)
        #expect(fields.isSet("not_modified"))
        #expect(!fields.isSet("data"))
        #expect(fields.text("etag") == (try etag(whole)))
        #expect(fields.text("content_type") == "image/png")
        #expect(harness.pictures.requests.count == 1)
    }

    @Test func aClientThatHasThePictureGetsNoBytesEvenWhenItIsFetchedAnew() async throws {
        let harness = try harness { _ in picture("\"1\"") }
        let known = try await harness.call(
            TestSchema.picture, asking(etag: SHA256.name(Pictures.png)))
        #expect(known.origin == .miss)
        #expect(try known.fields(TestSchema.imageID).isSet("not_modified"))
    }

    @Test(arguments: ["", "x", "\"1\""]) func anyOtherEtagGetsThePicture(etag: String) async throws {
        let harness = try harness { _ in picture("\"1\"") }
        let whole = try await harness.call(TestSchema.picture, poster)
        #expect(try await harness.call(TestSchema.picture, asking(etag: etag)).message == whole.message)
    }

    @Test func thePlaceholderIsNeverUnmodified() async throws {
        let harness = try harness { _ in .json("", status: 404) }
        let answer = try await harness.call(
            TestSchema.picture, asking(etag: SHA256.name(StoredImage.placeholder)))
        #expect(try answer.fields(TestSchema.imageID).isSet("placeholder"))
    }

    @Test(arguments: [true, false]) func anOldPictureIsAskedForByItsValidators(isRestarted: Bool) async throws
    {
        let directory = try TemporaryDirectory()
        var harness = try harness(directory) { _ in picture("\"1\"") }
        let first = try await harness.call(TestSchema.picture, poster)
        await harness.repository.settleDisk()
        if isRestarted { harness = try self.harness(directory) { _ in picture("\"1\"") } }
        harness.clock.advance(by: .seconds(24 * 3600))
        harness.pictures.answer { _ in HTTPResponse(status: 304) }
        let stale = try await harness.call(TestSchema.picture, poster)
        #expect(stale.origin == .stale)
        while harness.cached(TestSchema.picture, poster)?.origin != .hit { await Task.yield() }
        let request = try #require(harness.pictures.requests.last)
        #expect(request.fields.contains(HTTPField("If-None-Match", "\"1\"")))
        #expect(request.fields.contains(HTTPField("If-Modified-Since", "yesterday")))
        #expect(harness.cached(TestSchema.picture, poster)?.message == first.message)
        #expect(harness.cached(TestSchema.picture, poster)?.age == .zero)
    }

    @Test func formatsThatAreRefusedAreNotAskedFor() async throws {
        let harness = try harness { _ in picture("\"1\"") }
        _ = try await harness.call(TestSchema.picture, poster)
        let accept = try #require(harness.pictures.requests.first?.fields.first { $0.name == "Accept" })
        #expect(accept.value.contains("image/avif"))
        #expect(!accept.value.contains("svg") && !accept.value.contains("*"))
    }
}
