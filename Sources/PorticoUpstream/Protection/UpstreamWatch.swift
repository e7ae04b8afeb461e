/// When the server itself asks an upstream whether it is there.
///
/// At once while nobody has asked it; then, while it fails and no client asks it, ever more rarely. One that answers is
/// left alone, and so is one that clients ask: they find out as well. It decides at each look; between two looks the
/// shell sleeps.
package enum UpstreamWatch: Equatable, Sendable {
    /// It answers, or nobody has looked yet.
    case calm
    /// It fails.
    /// - looks: how often in a row that was seen.
    /// - calls: how many had ended at the last look.
    case failing(looks: Int, calls: Int)

    package enum Action: Equatable, Sendable {
        case wait(Duration)
        /// And wait so long when the answer, or none, has come.
        case ask(thenWait: Duration)
    }

    /// Between two looks at an upstream that answers: a look is no call, it reads a number.
    package static let calmPause = Duration.seconds(5)
    /// After the first failure; it doubles with each, up to ``longestPause``, and is jittered by half.
    package static let firstPause = Duration.seconds(1)
    package static let longestPause = Duration.seconds(60)

    package init() { self = .calm }

    /// - Parameters:
    ///   - health: how the upstream did when it was asked last.
    ///   - calls: to it that ended since the start, whoever made them.
    ///   - roll: at least 0, below 1.
    package mutating func looked(at health: UpstreamHealth.State, calls: Int, roll: Double) -> Action {
        switch (health, self) {
        case (.notAsked, _):
            self = .failing(looks: 1, calls: calls + 1)
            return .ask(thenWait: Self.pause(after: 0, roll))
        case (.answers, _):
            self = .calm
            return .wait(Self.calmPause)
        case (.fails, .calm):
            self = .failing(looks: 1, calls: calls)
            return .wait(Self.pause(after: 0, roll))
        case (.fails, .failing(let looks, let known)) where calls == known:
            self = .failing(looks: looks + 1, calls: calls + 1)
            return .ask(thenWait: Self.pause(after: looks, roll))
        case (.fails, .failing(let looks, _)):
            self = .failing(looks: looks, calls: calls)
            return .wait(Self.pause(after: looks, roll))
        }
    }

    /// Evenly between half and the whole of `min(longestPause, firstPause · 2^looks)`.
    private static func pause(after looks: Int, _ roll: Double) -> Duration {
        let doublings = min(looks, 16)  // 2^16 first pauses are longer than the longest
        return min(longestPause, firstPause * (1 << doublings)) * (0.5 + roll / 2)
    }
}
