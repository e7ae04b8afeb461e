import Testing

@testable import PorticoUpstream

struct TraceParentTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func oneOfVersionZeroIsKeptAsItCame() {
        #expect(TraceParent(Self.good)?.text == Self.good)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\r\nX: y",
    ])
    func whatHasNotTheFormIsNone(_ text: String) { #expect(TraceParent(text) == nil) }

    @Test func itGoesWithTheTasksThatAreBegunForIt() async {
        let (told, teller) = AsyncStream.makeStream(of: TraceParent?.self)
        TraceParent.carrying(Self.good) { Task { teller.yield(.current) } }
        TraceParent.carrying("nonsense") { Task { teller.yield(.current) } }
        var seen: [String?] = []
        for await parent in told.prefix(2) { seen.append(parent?.text) }
        #expect(Set(seen) == [Self.good, nil])
        #expect(TraceParent.current == nil)
    }
}
