/// What makes a request unacceptable (RFC 9112). Each is answered with ``status`` and the connection closes.
package enum HTTPFault: Error, Equatable, Sendable {
    /// Not an HTTP request, or one that two readers could understand differently; `offset` counts from its first byte.
    case malformed(Defect, offset: Int)
    case requestLineTooLong(limit: Int)
    case headersTooLong(limit: Int)
    case bodyTooLong(declared: Int, limit: Int)
    /// Bodies have a Content-Length here; no transfer coding is read.
    case transferEncodingUnsupported
    case versionUnsupported
    /// The request was not complete in time.
    case tooSlow

    package enum Defect: Equatable, Sendable {
        case requestLine, method, target, fieldLine, fieldName, fieldValue, lineEnding, contentLength, host
    }

    package var status: Int {
        switch self {
        case .malformed: 400
        case .requestLineTooLong: 414
        case .headersTooLong: 431
        case .bodyTooLong: 413
        case .transferEncodingUnsupported: 501
        case .versionUnsupported: 505
        case .tooSlow: 408
        }
    }
}
