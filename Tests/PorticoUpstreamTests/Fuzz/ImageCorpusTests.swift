import Foundation
import Testing

/// What the fuzzer has found worth keeping (Tests/Fuzz/run) goes through the same code in every test run.
@Suite struct ImageCorpusTests {
    @Test func inspectionStandsItsCorpus() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/Images/corpus").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files { ImageFuzz.run(Array(try Data(contentsOf: file))) }
    }
}
