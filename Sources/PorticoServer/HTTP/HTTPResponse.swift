internal import PorticoUpstream

/// A response with its whole body.
package struct HTTPResponse: Equatable, Sendable {
    package var status: Int
    package var contentType: String
    /// Beyond Content-Type, Content-Length, Date and Connection, which are written by the connection.
    package var fields: [HTTPRequest.Field]
    package var body: [UInt8]

    package init(
        status: Int = 200, contentType: String, fields: [HTTPRequest.Field] = [], body: [UInt8]
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }

    package static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    package static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "application/json", body: Array(text.utf8))
    }

    /// `{"detail":"…"}`, for answers that have nothing else to say. `detail` must need no escaping.
    package static func failure(_ status: Int, _ detail: StaticString) -> HTTPResponse {
        .json("{\"detail\":\"\(detail)\"}", status: status)
    }

    /// Appends the response as it goes over the wire (RFC 9112 section 4).
    func write(to bytes: inout [UInt8], dateSeconds: Int, head: HeadOptions) {
        var text = "HTTP/1.1 \(status) \(Self.reason(for: status))\r\n"
        text += "Date: \(HTTPDate.text(secondsSince1970: Int64(dateSeconds)))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        let hasBody = status != 304 && status != 204
        if hasBody { text += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n" }
        if head.contains(.closes) { text += "Connection: close\r\n" }
        bytes += (text + "\r\n").utf8
        if hasBody && !head.contains(.withoutBody) { bytes += body }
    }

    struct HeadOptions: OptionSet {
        let rawValue: UInt8
        /// The connection closes after this response.
        static let closes = HeadOptions(rawValue: 1)
        /// The answer to HEAD: the length of the body, not the body.
        static let withoutBody = HeadOptions(rawValue: 2)
    }

    private static func reason(for status: Int) -> String { reasons[status] ?? "Status" }

    /// RFC 9110 section 15, those in use here.
    private static let reasons = [
        200: "OK", 204: "No Content", 302: "Found", 304: "Not Modified", 400: "Bad Request",
        401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        409: "Conflict",
        413: "Content Too Large", 414: "URI Too Long", 418: "I'm a teapot", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
