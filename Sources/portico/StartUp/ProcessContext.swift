import Foundation

/// What a command takes from the process it runs in; made up in tests.
struct ProcessContext: Sendable {
    var variables: [String: String]
    var currentDirectory: String
    /// Where the program itself lies, links resolved.
    var executable: String

    static var current: ProcessContext {
        ProcessContext(
            variables: ProcessInfo.processInfo.environment,
            currentDirectory: FileManager.default.currentDirectoryPath,
            executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path)
    }
}
