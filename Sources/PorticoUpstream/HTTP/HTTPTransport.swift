package import PorticoSchema

/// A header field; names are compared without regard to case.
package struct HTTPField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Compared without regard to case, and without making a string: every answer asks for several.
    package func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0.lowercasedLetter == $1.lowercasedLetter }
    }
}

extension UInt8 {
    fileprivate var lowercasedLetter: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}

/// Which addresses a request may be sent to.
package enum Reach: Hashable, Sendable {
    case anywhere
    /// A host with an address outside the public internet is not connected to.
    case publicInternet
}

/// One HTTP exchange to be made.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    package var url: HTTPURL
    package var fields: [HTTPField]
    package var body: [UInt8]?
    /// From connecting to the last byte of the body.
    package var timeout: Duration
    /// A longer body ends the exchange as soon as that is known.
    package var bodyLimitBytes: Int
    /// Held by whoever looks the name up to connect, so that what is checked is what is connected to.
    package var reach = Reach.anywhere
    /// Told what has come of an answer, its body cut short, when the exchange ends inside that body; before the error is thrown.
    package var salvage: (@Sendable (HTTPResponse) -> Void)?

    package init(
        method: HTTPMethod = .get, url: HTTPURL, fields: [HTTPField] = [], body: [UInt8]? = nil,
        timeout: Duration, bodyLimitBytes: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.bodyLimitBytes = bodyLimitBytes
    }
}

/// The whole answer of one exchange, whatever its status.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var fields: [HTTPField]
    /// Content codings (gzip) are already undone.
    package var body: [UInt8]

    package init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.isNamed(name) }?.value
    }
}

/// Why an exchange gave no whole answer.
package enum TransportError: Error, Equatable, Sendable {
    /// No connection, a refused one, or one that ended before the answer began.
    case unreachable
    /// It lies in a network that this upstream's calls must not reach.
    case privateAddress
    /// A connection kept from an earlier exchange was closed by the peer before the answer began: the peer most likely
    /// never read the request, and a new connection is worth one try at no charge.
    case reusedConnectionClosed
    case timedOut
    /// The connection ended inside the body, after so many bytes.
    case truncated(atByte: Int)
    case bodyTooLong(limitBytes: Int)
    /// Status line and fields, informational answers included.
    case headTooLong(limitBytes: Int)
    /// The request cannot be written without meaning something else: a line break in a field, say.
    case unsendable
    /// Not HTTP, or a body whose coding is broken.
    case malformed
    case cancelled
}

/// Makes single HTTP exchanges: URLSession, our client on an event loop, a stand-in in a test.
///
/// Redirects are answers like others here (``UpstreamClient`` decides about them); cookies, caches and credentials do
/// not exist. Cancelling the task ends the exchange.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
