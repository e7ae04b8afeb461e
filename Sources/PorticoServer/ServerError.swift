package import PorticoEventLoop
package import PorticoTranscode

/// What keeps the server from starting; each has a sentence for the person who starts it.
package enum ServerError: Error, Equatable, Sendable {
    /// The kernel, or an address, stood in the way.
    case system(SystemError)
    /// The sandbox's folder: every fault of every file.
    case badSandbox([DocumentFault])
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .badSandbox(let faults): faults.map(\.description).joined(separator: "\n")
        }
    }
}
