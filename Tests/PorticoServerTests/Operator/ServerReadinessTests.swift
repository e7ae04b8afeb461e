import PorticoConfig
import PorticoUpstream
import PorticoWire
import Testing

@testable import PorticoServer

@Suite struct ServerReadinessTests {
    private typealias Rule = Configuration.OperatorInterface.ReadyRule

    private static func upstreams(_ states: String) -> [UpstreamHealth] {
        states.map { state in
            switch state {
            case "+": .init(name: "up", state: .answers)
            case "-": .init(name: "down", state: .fails(CallError(.unavailable, "no"), times: 2))
            case _: .init(name: "new", state: .notAsked)
            }
        }
    }

    /// Upstreams: `+` answers, `-` fails, `?` was not asked yet.
    @Test(arguments: [
        ("", Rule.server, true, "ready"), ("", .anyUpstream, true, "ready"),
        ("", .everyUpstream, true, "ready"),
        ("??", .everyUpstream, true, "ready"), ("+?", .everyUpstream, true, "ready"),
        ("+-", .server, true, "ready: 1 of 2 upstreams fail, kept answers are served"),
        ("--", .server, true, "ready: 2 of 2 upstreams fail, kept answers are served"),
        ("+--", .anyUpstream, true, "ready: 2 of 3 upstreams fail, kept answers are served"),
        ("--", .anyUpstream, false, "not ready: 2 of 2 upstreams fail"),
        ("+-", .everyUpstream, false, "not ready: 1 of 2 upstreams fail"),
    ])
    private func theRuleSaysWhatUpstreamsMatter(states: String, rule: Rule, isReady: Bool, summary: String) {
        let readiness = ServerReadiness(.ready, upstreams: Self.upstreams(states), needing: rule)
        #expect(readiness.isReady == isReady)
        #expect(readiness.text.split(separator: "\n").first.map(String.init) == summary)
    }

    @Test(arguments: [OperatorStatus.Phase.starting, .draining]) func noUpstreamMakesAServerReadyThatIsNot(
        phase: OperatorStatus.Phase
    ) {
        let readiness = ServerReadiness(phase, upstreams: Self.upstreams("+"), needing: .server)
        #expect(!readiness.isReady)
        #expect(readiness.text == "\(phase.name)\nupstream up: answers\n")
    }
}
