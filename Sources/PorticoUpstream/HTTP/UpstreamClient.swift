package import PorticoConfig
package import PorticoSchema
internal import PorticoWire
internal import Synchronization

/// Calls one upstream: builds the request, follows allowed redirects, tries again where that is allowed.
package final class UpstreamClient: Sendable {
    package let name: String
    package let base: UpstreamBase
    let settings: Configuration.Upstream
    private let transport: any HTTPTransport
    let surroundings: Surroundings
    private let budget: Mutex<RetryBudget>
    private let gate: UpstreamGate
    private let tallied = Mutex(CallTally())
    private let lastOutcome = Mutex(UpstreamHealth.State.notAsked)
    /// Of the base URL alone, without telling it.
    let place: String
    /// Sent with every call, whatever is asked for: written once.
    private let ownQuery: String?
    private let ownFields: [HTTPField]
    /// Of everything that decides what its answers are: base URL and secrets, without telling them.
    let identity: String

    /// Time, chance and the log, as everything in this module is given them.
    package struct Surroundings: Sendable {
        package var clock: any UpstreamClock
        package var dice: Dice
        package var events: UpstreamEvents
        /// Where calls are made and answers decoded.
        package var workplace: Workplace

        package init(
            clock: any UpstreamClock = SystemClock(), dice: Dice = .system,
            events: @escaping UpstreamEvents = { _ in }, workplace: Workplace = .anywhere
        ) {
            self.workplace = workplace
            self.clock = clock
            self.dice = dice
            self.events = events
        }
    }

    /// One call below the base.
    package struct Request: Sendable {
        package var method: HTTPMethod
        /// Percent-encoded, below the base.
        package var path: String
        package var query: String?
        package var accept: String
        /// JSON.
        package var body: [UInt8]?
        /// Lets a write be sent again.
        package var idempotencyKey: String?
        /// Nil: the environment's limit for this upstream.
        package var bodyLimitBytes: Int?
        /// Of the answer that is kept; 304 is a good answer then.
        package var validators: Validators
        /// False: one attempt, whatever the environment says.
        package var mayBeRetried: Bool
        /// Nil: an attempt begins anew, whatever came of the one before.
        package var resumption: Resumption?

        package init(
            method: HTTPMethod = .get, path: String, query: String? = nil,
            accept: String = "application/json", body: [UInt8]? = nil,
            idempotencyKey: String? = nil, bodyLimitBytes: Int? = nil, validators: Validators = Validators(),
            mayBeRetried: Bool = true
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.accept = accept
            self.body = body
            self.idempotencyKey = idempotencyKey
            self.bodyLimitBytes = bodyLimitBytes
            self.validators = validators
            self.mayBeRetried = mayBeRetried
        }

        fileprivate var mayBeRepeated: Bool {
            mayBeRetried && (method.isRead || idempotencyKey != nil)
        }
    }

    /// Nil: the base URL is not one that calls can be made below.
    package init?(
        name: String, settings: Configuration.Upstream, transport: any HTTPTransport,
        surroundings: Surroundings = Surroundings()
    ) {
        guard let base = UpstreamBase(settings.baseURL) else { return nil }
        self.name = name
        self.base = base
        self.settings = settings
        self.transport = transport
        place = SHA256.name(Array(settings.baseURL.utf8))
        identity = Self.identity(settings)
        ownQuery = Self.query(settings)
        ownFields = settings.headers.sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value.revealed) }
        self.surroundings = surroundings
        budget = Mutex(RetryBudget(percent: settings.retry.budgetPercent))
        gate = UpstreamGate(settings, clock: surroundings.clock) { state in
            surroundings.events(.breakerChanged(upstream: name, state))
        }
    }

    private static func identity(_ settings: Configuration.Upstream) -> String {
        let secrets = [settings.query, settings.headers].map { secrets in
            secrets.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.revealed)" }.joined(
                separator: "\n")
        }
        return SHA256.name(Array(([settings.baseURL] + secrets).joined(separator: "\n\n").utf8))
    }

    private static func query(_ settings: Configuration.Upstream) -> String? {
        guard !settings.query.isEmpty else { return nil }
        return settings.query.sorted { $0.key < $1.key }.map {
            "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value.revealed))"
        }.joined(separator: "&")
    }

    /// How it did when it was asked last.
    package var health: UpstreamHealth { UpstreamHealth(name: name, state: lastOutcome.withLock { $0 }) }

    /// How calls ended so far.
    package var tally: CallTally { tallied.withLock { $0 } }
    package var breakerState: Breaker.State { gate.breakerState }
    /// HTTP calls under way, and those that wait for their turn.
    package var inFlight: (running: Int, waiting: Int) { (gate.running, gate.waiting) }

    /// The whole answer, its status 200–299 or what `judge` accepts.
    ///
    /// - Parameters:
    ///   - deadline: when the last one who waits gives up; asked anew before each pause.
    ///   - judge: turns an answer that means failure into the error.
    package func send(
        _ request: Request, deadline: @Sendable () -> ContinuousClock.Instant,
        judge: @Sendable (HTTPResponse) throws(UpstreamError) -> Void
    ) async throws(UpstreamError) -> HTTPResponse {
        let policy = RetryPolicy(settings.retry)
        var machine = RetryMachine(request.mayBeRepeated ? policy : policy.once)
        budget.withLock { $0.called() }
        var action = machine.start()
        var failure = UpstreamError.cancelled
        while true {
            switch action {
            case .send:
                switch await guarded({ await attempt(request, judge) }) {
                case .success(let response):
                    machine.ended()
                    budget.withLock { $0.succeeded() }
                    return response
                case .failure(let error):
                    failure = error
                    action = failed(error, &machine, timeLeft: deadline() - surroundings.clock.now)
                }
            case .pause(let delay):
                try await pause(delay)
                action = machine.pauseEnded()
            case .giveUp, .none:
                throw failure
            }
        }
    }

    private func failed(
        _ error: UpstreamError, _ machine: inout RetryMachine, timeLeft: Duration
    ) -> RetryMachine.Action {
        surroundings.events(.attemptFailed(upstream: name, error))
        let roll = surroundings.dice.roll()
        let action = budget.withLock {
            machine.failed(error.asFailure, timeLeft: timeLeft, roll: roll, budget: &$0)
        }
        switch action {
        case .send, .pause: tallied.withLock { $0.retried() }
        case .giveUp, .none: break
        }
        return action
    }

    /// One attempt, when the upstream's limit and its breaker let it through; how it ended is remembered and counted.
    func guarded(
        _ attempt: () async -> Result<HTTPResponse, UpstreamError>
    ) async -> Result<HTTPResponse, UpstreamError> {
        let result: Result<HTTPResponse, UpstreamError>
        do {
            result = try await gate.pass(outcome: { Breaker.Outcome($0) }, work: attempt)
        } catch {
            result = .failure(UpstreamError(error, upstream: name))
        }
        lastOutcome.withLock { $0.ended(result) }
        tallied.withLock { tally in
            switch result {
            case .success: tally.ended(.succeeded)
            case .failure(let error): tally.ended(CallTally.Outcome(error))
            }
        }
        return result
    }

    private func pause(_ delay: Duration) async throws(UpstreamError) {
        surroundings.events(.retryScheduled(upstream: name, after: delay))
        do {
            try await surroundings.clock.sleep(until: surroundings.clock.now + delay)
        } catch {
            throw .cancelled
        }
    }

    /// One attempt, with the redirects that belong to it.
    private func attempt(
        _ request: Request, _ judge: @Sendable (HTTPResponse) throws(UpstreamError) -> Void
    ) async -> Result<HTTPResponse, UpstreamError> {
        var exchange = httpRequest(request)
        var redirection = Redirection(within: base)
        do throws(UpstreamError) {
            while true {
                let response = try await send(exchange, request.resumption)
                if response.status == 304, !request.validators.isEmpty { return .success(response) }
                guard let next = try follow(&redirection, exchange, response) else {
                    try judge(response)
                    return .success(response)
                }
                exchange = next
            }
        } catch {
            return .failure(error)
        }
    }

    func send(
        _ exchange: HTTPRequest, _ resumption: Resumption? = nil
    ) async throws(UpstreamError) -> HTTPResponse {
        do {
            guard let resumption else { return try await transport.send(exchange) }
            return try await resumption.send(exchange, over: transport)
        } catch {
            throw UpstreamError(error, upstream: name)
        }
    }

    private func follow(
        _ redirection: inout Redirection, _ exchange: HTTPRequest, _ response: HTTPResponse
    ) throws(UpstreamError) -> HTTPRequest? {
        do {
            return try redirection.next(after: exchange, answered: response)
        } catch {
            throw .redirected(upstream: name, error)
        }
    }

    func httpRequest(_ request: Request) -> HTTPRequest {
        let query =
            switch (request.query, ownQuery) {
            case (let asked?, let own?): "\(asked)&\(own)"
            case (let asked, let own): asked ?? own
            }
        var fields = [HTTPField("Accept", request.accept), HTTPField("User-Agent", "Portico")]
        fields += ownFields
        if !request.validators.isEmpty { fields += request.validators.fields }
        if request.body != nil { fields.append(HTTPField("Content-Type", "application/json")) }
        if let key = request.idempotencyKey { fields.append(HTTPField("Idempotency-Key", key)) }
        if let trace = TraceParent.current { fields.append(HTTPField("traceparent", trace.text)) }
        return HTTPRequest(
            method: request.method,
            url: base.appending(path: request.path, query: query),
            fields: fields, body: request.body, timeout: settings.timeout,
            bodyLimitBytes: request.bodyLimitBytes ?? settings.maxBodyBytes)
    }

    /// An upstream's own words, without anything that the environment keeps secret and at a length that fits an error.
    package func redacted(_ text: String) -> String {
        var text = text
        for secret in Array(settings.query.values) + Array(settings.headers.values)
        where !secret.revealed.isEmpty {
            text = text.replacing(secret.revealed, with: "\(secret)")
            text = text.replacing(PercentEncoding.encode(secret.revealed), with: "\(secret)")
        }
        return String(text.prefix(500))
    }

    package func retryAfter(of response: HTTPResponse) -> Duration? {
        response["Retry-After"].flatMap {
            RetryAfter.duration($0, secondsSince1970: surroundings.clock.secondsSince1970)
        }
    }
}
