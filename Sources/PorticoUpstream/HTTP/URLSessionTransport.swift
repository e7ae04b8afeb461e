internal import Foundation
internal import FoundationNetworking
internal import PorticoSchema
internal import Synchronization

/// HTTP over Foundation's URLSession, with everything switched off that keeps or adds something by itself: cookies,
/// cache, credentials, redirects.
package final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges: Exchanges
    private let clock: any UpstreamClock

    package init(clock: any UpstreamClock = SystemClock()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        // Times are kept by ``Exchange``: URLSession's own count from the last byte, not from the first.
        configuration.timeoutIntervalForRequest = 24 * 3600
        exchanges = Exchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        self.clock = clock
    }

    /// The session keeps its delegate alive until it is told to stop.
    deinit { session.invalidateAndCancel() }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let urlRequest = URLRequest(request) else { throw .malformed }
        let task = session.dataTask(with: urlRequest)
        let exchange = Exchange(request)
        exchanges.add(exchange, for: task.taskIdentifier)
        let alarm = clock.alarm(at: clock.now + request.timeout) {
            if exchange.end(.failure(.timedOut)) { task.cancel() }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(continuation)
                task.resume()
            }
        } onCancel: {
            if exchange.end(.failure(.cancelled)) { task.cancel() }
        }
        clock.cancel(alarm)
        exchanges.remove(task.taskIdentifier)
        return try result.get()
    }
}

extension URLRequest {
    fileprivate init?(_ request: HTTPRequest) {
        guard let url = URL(string: request.url.text) else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        httpBody = request.body.map { Data($0) }
        for field in request.fields { setValue(field.value, forHTTPHeaderField: field.name) }
    }
}

/// One exchange on its way: what has arrived, and who waits. It ends once; whatever comes later is dropped.
private final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    private struct State {
        var response: HTTPResponse?
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())
    private let bodyLimitBytes: Int
    private let salvage: (@Sendable (HTTPResponse) -> Void)?

    init(_ request: HTTPRequest) {
        bodyLimitBytes = request.bodyLimitBytes
        salvage = request.salvage
    }

    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// False: it had ended before.
    @discardableResult
    func end(_ outcome: Outcome) -> Bool {
        let ended: (waiter: CheckedContinuation<Outcome, Never>?, partial: HTTPResponse?)?
        ended = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return (state.waiter.take(), state.response.take())
        }
        guard let ended else { return false }
        if case .failure = outcome, let partial = ended.partial, !partial.body.isEmpty { salvage?(partial) }
        ended.waiter?.resume(returning: outcome)
        return true
    }

    /// - Parameter expectedBytes: below zero: unknown.
    /// - Returns: false: the body is too long already, by its own account.
    func headArrived(_ head: HTTPResponse, expectedBytes: Int64) -> Bool {
        guard expectedBytes <= Int64(bodyLimitBytes) else {
            end(.failure(.bodyTooLong(limitBytes: bodyLimitBytes)))
            return false
        }
        state.withLock { state in
            if state.outcome == nil { state.response = head }
        }
        return true
    }

    /// False: the body is too long.
    func bodyArrived(_ data: Data) -> Bool {
        let fits = state.withLock { state in
            guard state.response != nil else { return true }
            guard state.response!.body.count + data.count <= bodyLimitBytes else { return false }
            state.response!.body.append(contentsOf: data)
            return true
        }
        if !fits { end(.failure(.bodyTooLong(limitBytes: bodyLimitBytes))) }
        return fits
    }

    func completed(_ error: (any Error)?) {
        let outcome: Outcome = state.withLock { state in
            switch (error, state.response) {
            case (nil, let response?): .success(response)
            case (_?, let response?): .failure(.truncated(atByte: response.body.count))
            case (let error?, nil): .failure(TransportError(error))
            case (nil, nil): .failure(.malformed)
            }
        }
        end(outcome)
    }
}

extension TransportError {
    /// An error before the head of the answer.
    fileprivate init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            self = .malformed
        default: self = .unreachable
        }
    }
}

/// URLSession's delegate: finds the exchange that an event belongs to.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private let running = Mutex<[Int: Exchange]>([:])

    func add(_ exchange: Exchange, for task: Int) { running.withLock { $0[task] = exchange } }

    func remove(_ task: Int) { running.withLock { $0[task] = nil } }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
        running.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(dataTask) else { return completionHandler(.cancel) }
        guard let response = response as? HTTPURLResponse else {
            exchange.end(.failure(.malformed))
            return completionHandler(.cancel)
        }
        let fields = response.allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") }
        let head = HTTPResponse(status: response.statusCode, fields: fields)
        let goesOn = exchange.headArrived(head, expectedBytes: response.expectedContentLength)
        completionHandler(goesOn ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if exchange(dataTask)?.bodyArrived(data) != true { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(task)?.completed(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// There are no credentials: the 401 with what has come of its body is the answer. URLSession (6.3) itself would wait
    /// for credentials for ever when nobody answers here (swift-corelibs-foundation issue 5456).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        exchange(task)?.completed(nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
