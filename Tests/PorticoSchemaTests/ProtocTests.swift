import Foundation
import PorticoSchema
import Testing

/// Comparisons with the original, on request: `PORTICO_PROTOC=/usr/bin/protoc swift test --filter ProtocTests`.
enum Protoc {
    static let path = ProcessInfo.processInfo.environment["PORTICO_PROTOC"]

    /// - Returns: nil when protoc fails.
    static func run(_ arguments: [String], input: Data = Data()) throws -> Data? {
        let process = Process()
        process.executableURL = URL(filePath: path ?? "/usr/bin/protoc")
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory.appending(path: "protoc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let inputFile = folder.appending(path: "input")
        try input.write(to: inputFile)
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : nil
    }

    /// A FileDescriptorSet as text, options by name.
    static func text(ofDescriptorSet bytes: Data) throws -> String {
        let arguments = [
            "-I", SchemaFiles.root.path, "-I", "/usr/include", "--decode=google.protobuf.FileDescriptorSet",
            "google/protobuf/descriptor.proto", "portico/v1/options.proto",
        ]
        return String(decoding: try #require(try run(arguments, input: bytes)), as: UTF8.self)
    }
}

@Suite(.enabled(if: Protoc.path != nil)) struct ProtocTests {
    @Test func theDescriptorSetMeansWhatProtocsMeans() throws {
        let files = try SchemaFiles.all()
        let folder = FileManager.default.temporaryDirectory.appending(path: "set-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var arguments = ["-I", SchemaFiles.root.path, "--include_imports", "-o", folder.path]
        arguments += files.map(\.path)
        _ = try #require(try Protoc.run(arguments))
        let theirs = try Protoc.text(ofDescriptorSet: try Data(contentsOf: folder))
        let schema = try SchemaCompiler.compile(files: files)
        let ours = try Protoc.text(ofDescriptorSet: Data(schema.fileDescriptorSet))
        for (ours, theirs) in zip(sortedFiles(ours), sortedFiles(theirs)) where ours != theirs {
            let (mine, other) = (ours.split(separator: "\n"), theirs.split(separator: "\n"))
            let line = zip(mine, other).prefix { $0 == $1 }.count
            Issue.record(
                "line \(line) of \(mine[0]): \(mine[line...].prefix(5)) instead of \(other[line...].prefix(5))"
            )
        }
    }

    @Test(arguments: GrammarTests.good + OptionTests.textFormats) func protocAcceptsWhatWeAccept(
        snippet: Snippet
    ) throws {
        #expect(try isAcceptedByProtoc(snippet))
    }

    @Test(arguments: (GrammarTests.bad + LinkerTests.bad + OptionTests.bad).filter(\.protocAgrees))
    func protocRefusesWhatWeRefuse(snippet: Snippet) throws {
        #expect(try !isAcceptedByProtoc(snippet))
    }

    private func isAcceptedByProtoc(_ snippet: Snippet) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(snippet.file.utf8).write(to: folder.appending(path: "t.proto"))
        let arguments = ["-I", folder.path, "-I", SchemaFiles.root.path, "-o", "/dev/null", "t.proto"]
        return try Protoc.run(arguments) != nil
    }

    /// The files of a set in alphabetical order: any order with dependencies first is right.
    private func sortedFiles(_ text: String) -> [String] {
        ("\n" + text).components(separatedBy: "\nfile {\n").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        .sorted()
    }
}
