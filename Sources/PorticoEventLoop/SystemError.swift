/// What the kernel refuses; each has a sentence for the person who starts the program.
package enum SystemError: Error, Equatable, Sendable {
    /// The call's name, the address or path it was about, `errno`.
    case system(call: String, subject: String, errno: Int32)
    case addressInUse(String)
    case badAddress(String)
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let call, let subject, let code):
            "\(subject.isEmpty ? "" : "\(subject): ")\(call): \(systemErrorText(code))"
        case .addressInUse(let address):
            "\(address) is in use: another program, or another Portico, listens there"
        case .badAddress(let text):
            "\(text) is no address to use: HOST:PORT, [IPV6]:PORT or unix:PATH is expected, loopback for the sandbox"
        }
    }
}
