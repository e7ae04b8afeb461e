import PorticoUpstream
import PorticoWire

extension ErrorCode {
    /// The frame's code for a call that failed; the text carries the finer one.
    init(_ error: CallError) {
        self =
            switch error.code {
            case .invalidArgument: .invalid
            case .cancelled: .canceled
            case .ok, .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied,
                .resourceExhausted, .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal,
                .unavailable, .dataLoss, .unauthenticated:
                .applicationError
            }
    }
}

extension CallError {
    init(_ error: WireError) { self.init(.invalidArgument, error.reason) }

    /// - Parameter subject: which message could not be read: `the call context`.
    init(_ error: ProtobufError, in subject: String) {
        self.init(.invalidArgument, "\(subject) is not a protobuf message of its type (byte \(error.offset))")
    }

    static let unauthenticated = CallError(.unauthenticated, "a valid bearer token is needed")

    static func deadlineExceeded(after timeout: Duration) -> CallError {
        CallError(.deadlineExceeded, "no answer within \(timeout.milliseconds) ms")
    }
}
