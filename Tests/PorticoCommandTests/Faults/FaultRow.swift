import PorticoClient
import PorticoConfig

/// One way in which the sandbox is told to misbehave, and what must come of it.
struct FaultRow: Sendable {
    /// What an answer holds.
    enum Content: Equatable, Sendable {
        case everybody
        /// One employee less, which is told.
        case allButOne
        case nobody
    }

    enum Result: Equatable, Sendable {
        case answer(Content)
        /// One of google.rpc's names.
        case failure(String)
    }

    /// As the sandbox is told it, without the path.
    let fault: String
    let result: Result
    /// Requests that the sandbox meets for one answer, on new connections.
    var requests = 1
    /// More of them when the first one is sent on a kept connection: the one free retry.
    var freeRetries = 0
    /// Until the result is there.
    var atLeast = Duration.zero
    /// How long the caller waits.
    var patience = Duration.seconds(60)
    /// How long one attempt may take.
    var attempt = Duration.seconds(30)
    var decoding = Configuration.DecodeMode.lossy

    /// For what is not waited for: below every limit that a row does not set itself, so that an answer which came by
    /// such a limit's end is told from one that came at once.
    static let atOnce = Duration.seconds(20)

    init(
        _ fault: String, _ result: Result, requests: Int = 1, change: (inout FaultRow) -> Void = { _ in }
    ) {
        self.fault = fault
        self.result = result
        self.requests = requests
        change(&self)
    }

    /// Everything that `Environments/Sandbox/README.md` lists, and what it says that each takes.
    static let all = delays + refusals + brokenBodies + wrongContent + redirects

    private static let delays = [
        FaultRow(#""slow", "delayMs": 100"#, .answer(.everybody)) { $0.atLeast = .milliseconds(100) },
        FaultRow(#""trickle", "bytes": 256, "everyMs": 2"#, .answer(.everybody)) {
            $0.atLeast = .milliseconds(20)
        },
        FaultRow(#""trickle", "bytes": 1, "everyMs": 20"#, .failure("DEADLINE_EXCEEDED"), requests: 3) {
            ($0.attempt, $0.atLeast) = (.milliseconds(200), .milliseconds(600))
        },
        // The caller's deadline ends it.
        FaultRow(#""hang""#, .failure("DEADLINE_EXCEEDED")) {
            ($0.patience, $0.atLeast) = (.seconds(2), .seconds(2))
        },
        // Each attempt's own limit ends it.
        FaultRow(#""hang""#, .failure("DEADLINE_EXCEEDED"), requests: 3) {
            ($0.attempt, $0.atLeast) = (.milliseconds(200), .milliseconds(600))
        },
        FaultRow(#""hang", "times": 1"#, .answer(.everybody), requests: 2) {
            ($0.attempt, $0.atLeast) = (.milliseconds(500), .milliseconds(500))
        },
    ]

    private static let refusals = [
        FaultRow(#""fail", "times": 2"#, .answer(.everybody), requests: 3),
        FaultRow(#""fail""#, .failure("UNAVAILABLE"), requests: 3),
        FaultRow(#""fail", "status": 503, "retryAfter": 1"#, .failure("UNAVAILABLE"), requests: 3) {
            $0.atLeast = maximumRetryAfter * 2
        },
        FaultRow(#""fail", "status": 429"#, .failure("RESOURCE_EXHAUSTED"), requests: 3),
        FaultRow(#""fail", "status": 404"#, .failure("NOT_FOUND")),
        FaultRow(#""fail", "status": 401"#, .failure("PERMISSION_DENIED")),
        FaultRow(#""fail", "status": 418"#, .failure("FAILED_PRECONDITION")),
        FaultRow(#""reset", "times": 1"#, .answer(.everybody), requests: 2),
        FaultRow(#""reset""#, .failure("UNAVAILABLE"), requests: 3) { $0.freeRetries = 1 },
    ]

    private static let brokenBodies = [
        FaultRow(#""truncate", "times": 1"#, .answer(.everybody), requests: 2),
        FaultRow(#""truncate""#, .failure("INTERNAL"), requests: 3),
        FaultRow(#""tooShort", "bytes": 1"#, .failure("INTERNAL"), requests: 3),
        FaultRow(#""tooLong", "bytes": 1"#, .failure("INTERNAL")),
        FaultRow(#""notHTTP""#, .failure("INTERNAL"), requests: 3),
        FaultRow(#""brokenGzip""#, .failure("INTERNAL"), requests: 3),
        // Ended by ``FaultStage/bodyLimitBytes``, not by a clock.
        FaultRow(#""endless""#, .failure("INTERNAL")),
    ]

    private static let wrongContent = [
        FaultRow(#""malformed""#, .answer(.allButOne)),
        FaultRow(#""malformed""#, .failure("INTERNAL")) { $0.decoding = .strict },
        FaultRow(#""empty""#, .answer(.nobody)),
        FaultRow(#""notJSON""#, .failure("INTERNAL")),
    ]

    private static let redirects = [
        FaultRow(
            #""redirect", "times": 1, "to": "/directory/employees.json""#, .answer(.everybody), requests: 2),
        FaultRow(#""redirect""#, .failure("UNAVAILABLE")),
        FaultRow(#""redirect", "to": "/staff/employees""#, .failure("UNAVAILABLE")),
        FaultRow(#""redirectLoop""#, .failure("UNAVAILABLE"), requests: 4),
    ]

    /// How long a `Retry-After` is honoured.
    static let maximumRetryAfter = Duration.milliseconds(100)
}
