package import PorticoTranscode

/// What keeps the server from starting; each has a sentence for the person who starts it.
package enum ServerError: Error, Equatable, Sendable {
    /// The kernel refused: the call's name, the address or path it was about, `errno`.
    case system(call: String, subject: String, errno: Int32)
    case addressInUse(String)
    case badAddress(String)
    /// The sandbox's folder: every fault of every file.
    case badSandbox([DocumentFault])
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let call, let subject, let code):
            "\(subject.isEmpty ? "" : "\(subject): ")\(call): \(systemErrorText(code))"
        case .addressInUse(let address):
            "\(address) is in use: another program, or another Portico, listens there"
        case .badAddress(let text):
            "\(text) is no address to use: HOST:PORT, [IPV6]:PORT or unix:PATH is expected, loopback for the sandbox"
        case .badSandbox(let faults):
            faults.map(\.description).joined(separator: "\n")
        }
    }
}
