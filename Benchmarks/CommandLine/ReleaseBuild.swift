import Foundation

/// `swift run` builds for debugging, whose times say nothing: such a build makes way for the release build of
/// itself.
enum ReleaseBuild {
    static var isNeeded: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The package that this file was compiled in.
    private static let packageDirectory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Builds for release, then becomes that program. Returns only by throwing.
    static func replaceThisProcess(arguments: [String]) throws(BenchmarkFault) {
        say("Built for debugging: building and running the release build instead.")
        guard build() else {
            throw .release(
                "The release build failed: `swift build -c release --product Benchmarks` says why.")
        }
        let program = packageDirectory + "/.build/release/Benchmarks"
        let words = [program] + arguments
        let pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        unsafe _ = execv(program, pointers)
        throw .release("\(program) cannot be started: \(unsafe String(cString: strerror(errno)))")
    }

    /// Runs `swift build`, its output on standard error, so that standard output has figures only.
    private static func build() -> Bool {
        let build = Process()
        build.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        build.arguments = ["swift", "build", "-c", "release", "--product", "Benchmarks"]
        build.currentDirectoryURL = URL(fileURLWithPath: packageDirectory)
        build.standardOutput = FileHandle.standardError
        do {
            try build.run()
        } catch {
            return false
        }
        build.waitUntilExit()
        return build.terminationStatus == 0
    }

    private static func say(_ line: String) {
        FileHandle.standardError.write(Data("Benchmarks: \(line)\n".utf8))
    }
}
