/// The answers to an observed method, the current one first. One is asked for at a time, so a slow reader gets the
/// latest, never a backlog. Leaving the loop, or the task's cancellation, ends the observation at the server.
public struct Answers: AsyncSequence, Sendable {
    public typealias Element = Reply
    public typealias Failure = any Error

    let stream: AsyncThrowingStream<Reply, any Error>
    let requestMore: @Sendable () -> Void

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), requestMore: requestMore)
    }

    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<Reply, any Error>.AsyncIterator
        let requestMore: @Sendable () -> Void
        private var isFirst = true

        init(
            base: AsyncThrowingStream<Reply, any Error>.AsyncIterator,
            requestMore: @escaping @Sendable () -> Void
        ) {
            self.base = base
            self.requestMore = requestMore
        }

        /// - Throws: ``PorticoClientError``.
        public mutating func next() async throws -> Reply? { try await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Reply? {
            if !isFirst { requestMore() }  // the request itself asked for the first
            isFirst = false
            return try await base.next(isolation: actor)
        }
    }
}
