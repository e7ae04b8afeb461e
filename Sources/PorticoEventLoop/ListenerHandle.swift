import Glibc
import Synchronization

/// A listener on a loop, as other threads know it.
package struct ListenerHandle: Sendable {
    private let loop: EventLoop
    private let registration: Registration

    fileprivate init(loop: EventLoop, registration: Registration) {
        self.loop = loop
        self.registration = registration
    }

    /// Stops accepting, soon.
    package func close() {
        loop.execute { [registration] reactor in
            guard let listener = reactor.handler(of: registration) as? Listener else { return }
            listener.close(on: reactor)
        }
    }
}

extension EventLoop {
    /// Attaches a listener from any thread; the loop must be running.
    ///
    /// - Parameter makeAccept: called once, on the loop: what it makes may keep objects that the loop owns.
    /// - Throws: ``SystemError/system(call:subject:errno:)``; ECANCELED when the loop has been stopped.
    package func listen(
        on socket: consuming ListeningSocket, limit: ConnectionLimit,
        makeAccept: @escaping @Sendable (Reactor) -> Listener.Accept
    ) async throws(SystemError) -> ListenerHandle {
        let parcel = Parcel(socket)
        let result: Result<Registration, SystemError> = await withCheckedContinuation { continuation in
            let isAccepted = execute { reactor in
                continuation.resume(
                    returning: Result { () throws(SystemError) in
                        let accept = makeAccept(reactor)
                        return try Listener.attach(parcel.open(), to: reactor, limit: limit, accept: accept)
                    })
            }
            guard !isAccepted else { return }
            continuation.resume(
                returning: .failure(.system(call: "listen", subject: "a stopped loop", errno: ECANCELED)))
        }
        return ListenerHandle(loop: self, registration: try result.get())
    }
}

/// Carries a listening socket to its loop: a closure cannot consume what it has captured.
private final class Parcel: Sendable {
    private let content: Mutex<ListeningSocket?>
    init(_ socket: consuming ListeningSocket) { content = Mutex(socket) }

    func open() -> ListeningSocket {
        guard let socket = content.withLock({ $0.take() }) else {
            preconditionFailure("a parcel is opened once: a bug in listen(on:limit:makeAccept:)")
        }
        return socket
    }
}
