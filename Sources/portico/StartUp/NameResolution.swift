import Dispatch
import Glibc

/// What the system's resolver says about a host, and how long it took.
struct NameResolution: Sendable {
    let host: String
    /// The first one; nil: there is none.
    let address: String?
    let duration: Duration

    /// `192.0.2.1 resolved in 8 ms`; nothing is said of the time for a host that is an address already.
    var text: String {
        guard let address else { return "the name \(host) is not known" }
        return address == host ? address : "\(address) resolved in \(duration.wholeMilliseconds) ms"
    }

    /// The resolver blocks: it has a thread of its own.
    static func of(_ host: String) async -> NameResolution {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let start = ContinuousClock.now
                let address = resolve(host)
                continuation.resume(
                    returning: NameResolution(
                        host: host, address: address, duration: ContinuousClock.now - start))
            }
        }
    }

    private static func resolve(_ host: String) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0, let first = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(list) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let info = unsafe first.pointee
        guard
            unsafe getnameinfo(
                info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
