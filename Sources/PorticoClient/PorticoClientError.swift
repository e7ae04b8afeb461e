/// Why a connection or a call failed, as the client's user sees it.
public enum PorticoClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address cannot be read or resolved: `HOST:PORT` or `unix:PATH` is expected.
    case badAddress(String)
    /// Nothing could be reached there; the reason is the system's.
    case unreachable(address: String, reason: String)
    /// The server closed the connection, or it broke; the reason is the server's own text where it gave one.
    case disconnected(reason: String)
    /// The server answered the call with an error. `code` is one of google.rpc's names, e.g. `NOT_FOUND`.
    case failed(code: String, message: String)
    /// What came is not RSocket, or not what the protocol allows.
    case protocolViolation(String)

    public var description: String {
        switch self {
        case .badAddress(let address): "\(address) is not an address: write HOST:PORT or unix:PATH"
        case .unreachable(let address, let reason): "cannot connect to \(address): \(reason)"
        case .disconnected(let reason): "the connection ended: \(reason)"
        case .failed(let code, let message): "\(code): \(message)"
        case .protocolViolation(let what): "the server broke the protocol: \(what)"
        }
    }
}
