internal import PorticoEventLoop
internal import PorticoWire

/// The addresses of one origin, as its loop knows them: looked up once for all who wait, kept for a short while.
///
/// When a connection to one address fails, the next attempt takes the one after it. Only addresses that may be reached are
/// given out: no other lookup stands between the check and the connection.
final class OriginAddresses {
    typealias Then = (Result<SocketAddress, TransportError>, Reactor) -> Void

    /// A loop's object on its way through the thread that looks names up.
    // SAFETY: made on the loop and opened on the loop, by a job that the looking thread hands to it.
    private struct Parcel: @unchecked Sendable {
        let addresses: OriginAddresses
    }

    private let host: String
    private let port: UInt16
    private let kept: Duration
    private let reach: Reach
    private var found: [SocketAddress] = []
    private var turn = 0
    private var goodUntil: Instant?
    private var waiting: [Then] = []

    /// - Parameter address: known beforehand; nil: that of the URL's host.
    init(_ url: HTTPURL, _ address: SocketAddress? = nil, _ reach: Reach, kept: Duration) {
        let isBracketed = url.host.hasPrefix("[")
        host = isBracketed ? String(url.host.dropFirst().dropLast()) : url.host
        port = UInt16(truncatingIfNeeded: url.port)
        self.kept = kept
        self.reach = reach
        // Numeric addresses never grow old.
        found = (address ?? HostLookup.numeric(host, port: port)).map { [$0] } ?? []
    }

    /// Calls `then` with the address whose turn it is, at once or when the name has been looked up.
    func next(on reactor: Reactor, _ then: @escaping Then) {
        guard found.isEmpty || goodUntil.map({ $0 <= reactor.now }) == true else {
            return then(turnsAddress, reactor)
        }
        waiting.append(then)
        if waiting.count == 1 { lookUp(on: reactor) }
    }

    func failed() { turn += 1 }

    private func lookUp(on reactor: Reactor) {
        let parcel = Parcel(addresses: self)
        let loop = reactor.loop
        do throws(SystemError) {
            try HostLookup.start(host, port: port) { addresses in
                loop.execute { parcel.addresses.lookedUp(addresses, on: $0) }
            }
        } catch {
            lookedUp([], on: reactor)
        }
    }

    /// Old addresses are better than none: a name server that is down takes no upstream with it.
    private func lookedUp(_ addresses: [SocketAddress], on reactor: Reactor) {
        if !addresses.isEmpty {
            found = addresses
            turn = 0
        }
        goodUntil = reactor.now + kept
        for then in exchange(&waiting, with: []) { then(turnsAddress, reactor) }
    }

    /// A host with one public and one private address is not reached either: which of them comes next is chance.
    private var turnsAddress: Result<SocketAddress, TransportError> {
        guard !found.isEmpty else { return .failure(.unreachable) }
        guard reach == .anywhere || found.allSatisfy({ NetworkAddress($0).isPublic }) else {
            return .failure(.privateAddress)
        }
        return .success(found[turn % found.count])
    }
}
