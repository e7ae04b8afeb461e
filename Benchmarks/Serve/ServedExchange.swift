import PorticoWire

/// What is asked and answered in every run: one page with one person, about 260 bytes.
enum ServedExchange {
    static let route = "starwars.v1.Characters/ListPeople"
    /// `page: 1`, in canonical form, as generated clients write it.
    private static let request: [UInt8] = [0x08, 0x01]

    /// What the upstream behind the server says.
    static let body = """
        {"count": 1, "next": null, "previous": null, "results": [{"name": "Luke Skywalker", "height": "172",
        "mass": "77", "hair_color": "blond", "skin_color": "fair", "eye_color": "blue", "birth_year": "19BBY",
        "gender": "male", "homeworld": "https://swapi.dev/api/planets/1/", "films": [
        "https://swapi.dev/api/films/1/", "https://swapi.dev/api/films/2/"], "species": [], "vehicles": [],
        "starships": [], "created": "2014-12-09T13:50:51.644000Z", "edited": "2014-12-20T21:17:56.891000Z",
        "url": "https://swapi.dev/api/people/1/"}]}
        """

    /// The SETUP of a client that gives no name.
    static let greeting: [UInt8] = {
        var writer = FrameWriter()
        writer.setup(
            keepaliveMilliseconds: 60_000, lifetimeMilliseconds: 600_000,
            metadataMIME: MetadataMIME.composite.name, dataMIME: MetadataMIME.protobuf.name, metadata: nil,
            data: [])
        return writer.bytes
    }()

    /// With its length prefix, on stream 1.
    static let frame: [UInt8] = {
        var metadata = MetadataWriter()
        metadata.route(route)
        var writer = FrameWriter()
        writer.request(.response, on: 1, metadata: metadata.bytes, data: request)
        return writer.bytes
    }()

    /// Redis's protocol for the value that ``redisAnswerBytes(of:)`` describes.
    static let redisRequest = Array("*2\r\n$3\r\nGET\r\n$6\r\nperson\r\n".utf8)

    /// `$260\r\n`, the value, `\r\n`.
    static func redisAnswerBytes(of value: Int) -> Int { "$\(value)\r\n".utf8.count + value + 2 }
}
