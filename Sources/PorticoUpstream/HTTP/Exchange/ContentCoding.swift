/// Undoes the content codings of an answer (RFC 9110 section 8.4): gzip and deflate.
enum ContentCoding {
    /// No server applies more of them to anything.
    private static let maximumLayers = 2

    /// - Throws: ``TransportError/bodyTooLong(limitBytes:)`` as soon as the decoded body goes past the limit;
    ///   ``TransportError/malformed`` for an unknown coding, a broken body, and bytes after its end.
    static func undo(on response: HTTPResponse, limitBytes: Int) throws(TransportError) -> HTTPResponse {
        guard !response.body.isEmpty else { return response }
        let layers = response.fields.filter { $0.isNamed("content-encoding") }.flatMap { field in
            field.value.lowercased().split(separator: ",").map { String($0.trimmingBlanks) }
        }.filter { $0 != "identity" && !$0.isEmpty }
        guard layers.count <= maximumLayers else { throw .malformed }
        var decoded = response
        for layer in layers.reversed() {
            guard let format = Inflater.Format(coding: layer) else { throw .malformed }
            decoded.body = try Inflater.inflate(decoded.body, format, limitBytes: limitBytes)
        }
        return decoded
    }
}
