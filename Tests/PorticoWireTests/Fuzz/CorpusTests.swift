import Foundation
import Testing

/// What the fuzzer has found worth keeping (Tests/Fuzz/run) goes through the same code in every test run.
@Suite struct CorpusTests {
    private static func corpus(_ target: String) throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/\(target)/corpus").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { Array(try Data(contentsOf: $0)) }
    }

    @Test func theSessionStandsItsCorpus() throws {
        let inputs = try Self.corpus("Session")
        #expect(!inputs.isEmpty)
        for input in inputs { SessionFuzz.run(input) }
    }

    @Test func metadataStandsItsCorpus() throws {
        let inputs = try Self.corpus("Metadata")
        #expect(!inputs.isEmpty)
        for input in inputs { MetadataFuzz.run(input) }
    }
}
