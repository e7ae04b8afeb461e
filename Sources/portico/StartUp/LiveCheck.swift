import Foundation
import PorticoConfig
import PorticoEventLoop
import PorticoServer
import PorticoUpstream
import PorticoWire

/// Resolves and calls each upstream of an environment once, as the server would: with its secrets, within its timeout.
struct LiveCheck {
    private let startUp: StartUp

    init(_ startUp: StartUp) { self.startUp = startUp }

    /// What came of one upstream.
    private struct Finding: Sendable {
        let name: String
        let resolution: NameResolution
        /// Nil: its host has no address, so it was not called.
        let probe: UpstreamProbe?

        var answered: Bool { probe?.status != nil }

        /// `200 in 120 ms, 192.0.2.1 resolved in 8 ms`
        var text: String {
            guard let probe else { return "no answer: \(resolution.text)" }
            let time = "\(probe.duration.wholeMilliseconds) ms"
            if let status = probe.status { return "\(status) in \(time), \(resolution.text)" }
            let reason = probe.error.map { CallError($0).text } ?? "nothing came"
            return "no answer in \(time): \(reason); \(resolution.text)"
        }
    }

    /// - Throws: what keeps the sandbox from running, if the environment has one.
    func run(_ console: Console) async throws -> ExitStatus {
        let settings = startUp.loaded.configuration
        guard settings.sandbox.address != nil, let content = startUp.sandbox else {
            return await report(settings.ready(sandboxPort: nil), to: console)
        }
        let loop = try EventLoop()
        try loop.start()
        var elsewhere = settings.sandbox
        // A server of this environment may be running.
        elsewhere.address = "127.0.0.1:0"
        let sandbox = try await SandboxServer.start(serving: content, configuration: elsewhere, loop: loop)
        let status = await report(settings.ready(sandboxPort: sandbox.port), to: console)
        loop.stop()
        await loop.join()
        return status
    }

    private func report(_ configuration: Configuration, to console: Console) async -> ExitStatus {
        let upstreams = configuration.upstreams
        let transport = URLSessionTransport()
        let width = upstreams.keys.map(\.count).max() ?? 0
        let findings = await withTaskGroup(of: Finding.self) { group in
            for (name, settings) in upstreams {
                group.addTask { await Self.ask(name, settings, transport) }
            }
            var findings: [Finding] = []
            for await finding in group {
                findings.append(finding)
                if console.errorIsTerminal {
                    console.complain("portico: \(findings.count) of \(upstreams.count) upstreams asked")
                }
            }
            return findings.sorted { $0.name < $1.name }
        }
        for finding in findings {
            let gap = String(repeating: " ", count: width - finding.name.count)
            console.print("\(finding.name)\(gap)  \(startUp.loaded.hidingSecrets(in: finding.text))")
        }
        guard findings.isEmpty || findings.contains(where: \.answered) else {
            console.fail("none of the \(findings.count) upstreams answers")
            return .unavailable
        }
        return .success
    }

    private static func ask(
        _ name: String, _ settings: Configuration.Upstream, _ transport: URLSessionTransport
    ) async -> Finding {
        let host = UpstreamBase(settings.baseURL)?.url.host ?? ""
        let resolution = await NameResolution.of(host)
        guard resolution.address != nil,
            let client = UpstreamClient(name: name, settings: settings, transport: transport)
        else { return Finding(name: name, resolution: resolution, probe: nil) }
        return Finding(name: name, resolution: resolution, probe: await client.probe())
    }
}
