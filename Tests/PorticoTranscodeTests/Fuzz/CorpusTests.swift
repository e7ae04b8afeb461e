import Foundation
import Testing

private let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Transcoder/corpus")

@Test func whatTheFuzzerFoundStaysHarmless() throws {
    let transcoder = FuzzedTranscoder()
    let files = try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
    var readCount = 0
    for file in files.sorted(by: { $0.path < $1.path }) {
        let input = [UInt8](try Data(contentsOf: file))
        do {
            if try transcoder.check(input.span) { readCount += 1 }
        } catch {
            Issue.record("\(file.lastPathComponent): \(error)")
        }
    }
    #expect(files.count > 100 && readCount > 20, "The corpus is not where it should be: \(corpus.path)")
}
