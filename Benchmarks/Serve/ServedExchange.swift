import PorticoWire

/// What is asked, unless a run asks for something else, and what the upstream behind the server says: one page with one
/// person, about 260 bytes.
enum ServedExchange {
    /// What a run can ask for.
    enum Question: String {
        /// A page with one person.
        case page
        /// Three such pages, composed.
        case screen
        /// A page with three times as many people as one of ``largeScreen``: both are too large for a loop's own storage.
        case largePage
        case largeScreen

        fileprivate var route: String {
            switch self {
            case .page, .largePage: "starwars.v1.Characters/ListPeople"
            case .screen, .largeScreen: "starwars.v1.Characters/Screen"
            }
        }

        /// `page: 1`, 2 or 3, in canonical form, as generated clients write it.
        fileprivate var request: [UInt8] {
            switch self {
            case .page, .screen: [0x08, 0x01]
            case .largeScreen: [0x08, 0x02]
            case .largePage: [0x08, 0x03]
            }
        }

        /// With its length prefix, on stream 1.
        var frame: [UInt8] {
            var metadata = MetadataWriter()
            metadata.route(route)
            var writer = FrameWriter()
            writer.request(.response, on: 1, metadata: metadata.bytes, data: request)
            return writer.bytes
        }
    }

    private static let peopleOnPages = ["page=2": 82, "page=3": 3 * 82]

    /// - Parameter query: of the upstream's URL.
    static func body(query: String?) -> String {
        guard let people = query.flatMap({ peopleOnPages[$0] }) else {
            return #"{"count":1,"next":null,"previous":null,"results":[\#(person)]}"#
        }
        let results = Array(repeating: person, count: people).joined(separator: ",")
        return #"{"count":1000,"next":"more","previous":null,"results":[\#(results)]}"#
    }

    private static let person = """
        {"name": "Luke Skywalker", "height": "172",
        "mass": "77", "hair_color": "blond", "skin_color": "fair", "eye_color": "blue", "birth_year": "19BBY",
        "gender": "male", "homeworld": "https://swapi.dev/api/planets/1/", "films": [
        "https://swapi.dev/api/films/1/", "https://swapi.dev/api/films/2/"], "species": [], "vehicles": [],
        "starships": [], "created": "2014-12-09T13:50:51.644000Z", "edited": "2014-12-20T21:17:56.891000Z",
        "url": "https://swapi.dev/api/people/1/"}
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

    static let frame = Question.page.frame

    /// Redis's protocol for the value that ``redisAnswerBytes(of:)`` describes.
    static let redisRequest = Array("*2\r\n$3\r\nGET\r\n$6\r\nperson\r\n".utf8)

    /// `$260\r\n`, the value, `\r\n`.
    static func redisAnswerBytes(of value: Int) -> Int { "$\(value)\r\n".utf8.count + value + 2 }
}
