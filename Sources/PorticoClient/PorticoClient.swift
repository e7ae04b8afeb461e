/// Why a call or a connection failed, as the client's user sees it.
public enum PorticoClientError: Error, Sendable {
    case connection(String)
}
