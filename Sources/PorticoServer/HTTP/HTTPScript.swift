/// An answer in pieces with pauses between them, right or wrong: what a bad upstream sends.
package struct HTTPScript: Equatable, Sendable {
    package enum Ending: Equatable, Sendable {
        /// The connection closes after the last piece.
        case close
        /// The last piece is sent again and again, as long as the peer takes it.
        case repeatLast
    }

    package var pieces: [[UInt8]]
    /// Before each piece but the first.
    package var pause: Duration
    package var ending: Ending

    package init(pieces: [[UInt8]], pause: Duration = .zero, ending: Ending = .close) {
        self.pieces = pieces
        self.pause = pause
        self.ending = ending
    }

    /// Piece number `index`; nil: the script is over.
    func piece(_ index: Int) -> [UInt8]? {
        if index < pieces.count { return pieces[index] }
        switch ending {
        case .close: return nil
        case .repeatLast: return pieces.last
        }
    }
}

extension HTTPResponse {
    /// The response as it goes over the wire, with a Content-Length that is `errorBytes` too large, or too small.
    func bytes(lengthErrorBytes errorBytes: Int, dateSeconds: Int) -> [UInt8] {
        var promised = self
        promised.body = [UInt8](repeating: 0, count: max(0, body.count + errorBytes))
        var bytes: [UInt8] = []
        promised.write(to: &bytes, dateSeconds: dateSeconds, head: .withoutBody)
        return bytes + body
    }

    /// The head of the response with a chunked body to come.
    func chunkedHead() -> [UInt8] {
        Array(
            "HTTP/1.1 \(status) Endless\r\nContent-Type: \(contentType)\r\nTransfer-Encoding: chunked\r\n\r\n"
                .utf8)
    }
}
