extension Console {
    /// Runs a command's work and turns its fault into words and an exit status.
    func reporting(_ work: () async throws(RemoteServer.Fault) -> Void) async -> ExitStatus {
        do throws(RemoteServer.Fault) {
            try await work()
            return .success
        } catch {
            fail(error.message)
            return error.status
        }
    }

    /// Says on a terminal what is being waited for, once the wait is over a second long.
    func announcing<Failure: Error>(
        _ activity: String, _ work: () async throws(Failure) -> Void
    ) async throws(Failure) {
        guard errorIsTerminal else { return try await work() }
        let notice = Task {
            try await Task.sleep(for: .seconds(1))
            complain("portico: \(activity) …")
        }
        defer { notice.cancel() }
        try await work()
    }
}
