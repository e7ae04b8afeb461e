import Testing

/// Whatever the sandbox is told to get wrong, over HTTP, in every state of what is kept: what a client of the whole server
/// gets, after how long, what the upstream was asked, and that nothing is left over.
@Suite struct SandboxFaultTests {
    /// Each state in a process of its own, where nothing else opens descriptors or takes memory.
    @Test(arguments: AskedWhile.allCases) func everyFaultEndsAsItsRowSaysAndLeavesNothing(
        asked: AskedWhile
    ) async {
        await #expect(processExitsWith: .success) { [asked = asked as AskedWhile] in
            try await FaultMatrix.run(asked)
        }
    }

    @Test func theLastWhoLeavesEndsTheUpstreamCall() async {
        await #expect(processExitsWith: .success) { try await FaultMatrix.runLeaving() }
    }

    @Test func whatWasKnownOutlivesARestartWithEveryUpstreamDown() async {
        await #expect(processExitsWith: .success) { try await FaultMatrix.runRestart() }
    }
}
