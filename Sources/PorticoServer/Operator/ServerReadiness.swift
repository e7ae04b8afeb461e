import PorticoConfig
import PorticoUpstream

/// Whether a load balancer should send clients here.
///
/// Upstreams are shared by all servers: when one is down, taking every server out would make a part's outage the whole's,
/// and cached answers unreachable. So by default they do not matter, and are only told. Where each server has its own way
/// to them, the environment can ask for more.
struct ServerReadiness: Equatable {
    let phase: OperatorStatus.Phase
    let upstreams: [UpstreamHealth]
    let isReady: Bool
    private let summary: String

    /// - Parameter upstreams: one that has not been asked yet counts as one that answers.
    init(
        _ phase: OperatorStatus.Phase, upstreams: [UpstreamHealth],
        needing rule: Configuration.OperatorInterface.ReadyRule
    ) {
        self.phase = phase
        self.upstreams = upstreams
        let failing = upstreams.count { $0.fails }
        let all = upstreams.count
        let isEnough =
            switch rule {
            case .server: true
            case .anyUpstream: failing < all || all == 0
            case .everyUpstream: failing == 0
            }
        isReady = phase == .ready && isEnough
        summary =
            switch phase {
            case .starting, .draining: phase.name
            case .ready where failing == 0: phase.name
            case .ready where isEnough:
                "ready: \(failing) of \(all) upstreams fail, kept answers are served"
            case .ready: "not ready: \(failing) of \(all) upstreams fail"
            }
    }

    /// The summary, and a line for each upstream.
    var text: String {
        ([summary] + upstreams.map { "upstream \($0.name): \($0.text)" }).map { "\($0)\n" }.joined()
    }
}

extension UpstreamHealth {
    fileprivate var fails: Bool {
        switch state {
        case .fails: true
        case .notAsked, .answers: false
        }
    }
}
