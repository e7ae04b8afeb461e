package import PorticoWire

/// How an upstream did when it was asked last.
package struct UpstreamHealth: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case notAsked
        /// With whatever status below 500.
        case answers
        /// Its last attempts failed: the last one's error, and how many there were in a row.
        case fails(CallError, times: Int)
    }

    package let name: String
    package let state: State

    package init(name: String, state: State) {
        self.name = name
        self.state = state
    }

    /// `answers`, `fails (3 times): UNAVAILABLE: …`, without a secret in it.
    package var text: String {
        switch state {
        case .notAsked: "not asked yet"
        case .answers: "answers"
        case .fails(let error, let times): "fails (\(times == 1 ? "once" : "\(times) times")): \(error.text)"
        }
    }
}

extension UpstreamHealth.State {
    /// An attempt has ended; what was no attempt, or was given up by its caller, says nothing.
    mutating func ended(_ result: Result<HTTPResponse, UpstreamError>) {
        switch result {
        case .success: self = .answers
        case .failure(.cancelled), .failure(.breakerOpen), .failure(.overloaded): break
        case .failure(.refused(_, let status, _, _)) where status < 500: self = .answers
        case .failure(let error):
            if case .fails(_, let times) = self {
                self = .fails(CallError(error), times: times + 1)
            } else {
                self = .fails(CallError(error), times: 1)
            }
        }
    }
}
