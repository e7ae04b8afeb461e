package import PorticoConfig
package import PorticoEventLoop

/// The sample upstreams of `Environments/Sandbox` over HTTP/1.1, on an event loop of the program itself.
package struct SandboxServer: Sendable {
    /// Where it listens: `configuration.sandbox.address`, with the port the system chose for port 0.
    package let address: SocketAddress
    private let server: HTTPServer

    /// The port to give to ``Configuration/resolvingSandbox(port:)``.
    package var port: Int { address.port ?? 0 }

    /// - Parameters:
    ///   - content: of `Environments/Sandbox`.
    ///   - configuration: its `address` is a loopback address with a port; nil means any free port.
    ///   - loop: a running loop; it may serve other things too.
    /// - Throws: ``SystemError/badAddress(_:)`` for an address that others can reach, ``SystemError/addressInUse(_:)`` and
    ///   the kernel's other refusals.
    package static func start(
        serving content: SandboxContent, configuration: Configuration.Sandbox, loop: EventLoop
    ) async throws(ServerError) -> SandboxServer {
        let address = try loopbackAddress(configuration.address ?? "127.0.0.1:0")
        let canMisbehave = configuration.faults
        do throws(SystemError) {
            let server = try await HTTPServer.start(on: address, loop: loop) { bound in
                SandboxService(content, origin: "http://\(bound)", canMisbehave: canMisbehave)
            }
            return SandboxServer(address: server.address, server: server)
        } catch {
            throw .system(error)
        }
    }

    private static func loopbackAddress(_ text: String) throws(ServerError) -> SocketAddress {
        do throws(SystemError) {
            let address = try SocketAddress(parsing: text)
            guard address.isLoopback, address.port != nil else { throw .badAddress(text) }
            return address
        } catch {
            throw .system(error)
        }
    }

    /// Stops accepting; open connections go on until the loop ends.
    package func close() { server.close() }
}

extension Configuration {
    private static let sandboxScheme = "sandbox:"

    /// The folder of `Environments/Sandbox` that an upstream's base URL names; nil: it does not point at the sandbox.
    package static func sandboxFolder(of baseURL: String) -> String? {
        guard baseURL.hasPrefix(sandboxScheme) else { return nil }
        let path = baseURL.dropFirst(sandboxScheme.count).drop { $0 == "/" }
        return String(path.prefix { $0 != "/" })
    }

    /// Whether an upstream's base URL points at the sandbox, which must then be started first.
    package var needsSandbox: Bool {
        upstreams.values.contains { $0.baseURL.hasPrefix(Self.sandboxScheme) }
    }

    /// The configuration with base URLs `sandbox:NAME/…` turned into `http://127.0.0.1:PORT/NAME/…`.
    package func resolvingSandbox(port: Int) -> Configuration {
        var copy = self
        for (name, upstream) in upstreams where upstream.baseURL.hasPrefix(Self.sandboxScheme) {
            let path = upstream.baseURL.dropFirst(Self.sandboxScheme.count).drop { $0 == "/" }
            copy.upstreams[name]?.baseURL = "http://127.0.0.1:\(port)/\(path)"
            copy.upstreams[name]?.allowPrivateAddresses = true
        }
        return copy
    }
}
