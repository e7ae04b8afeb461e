import Foundation
import PorticoConfig
import PorticoUpstream
import Synchronization
import Testing

@testable import portico

@Suite struct ImagesCommandTests {
    private final class Output: Sendable {
        private let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private let directory: URL
    private let output = Output()
    private let picture = StoredImage(
        data: StoredImage.placeholder, contentType: "image/png", fetchedAt: 86_400)

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "images-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func keep(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: directory.appendingPathComponent(name))
    }

    private func keepPicture() throws {
        try keep(try #require(ImageFile.entry(picture, key: "pictures a.png").encoded()), as: "a.image")
    }

    private func run(_ words: String...) throws -> portico.ExitStatus {
        defer { try? FileManager.default.removeItem(at: directory) }
        guard case .images(let command) = try Command(["images"] + words) else {
            Issue.record("no images command")
            return .software
        }
        let shelf = ImageShelf(directory: directory.path, settings: Configuration.Images())
        let output = output
        return command.run(shelf, Console(print: { output.add($0) }, complain: { output.add($0) }))
    }

    @Test func theListNamesEachPicture() throws {
        try keepPicture()
        try keep([1], as: "README")
        #expect(try run("list") == .success)
        #expect(output.text.hasPrefix("image/png\t"))
        #expect(output.text.hasSuffix("\t1970-01-02T00:00:00Z\tpictures a.png"))
    }

    @Test func statisticsCountTypesAndBytes() throws {
        try keepPicture()
        try keep([1, 2], as: "b.image")
        #expect(try run("stats") == .success)
        #expect(output.text.contains("images      1\n            1 image/png"))
        #expect(output.text.contains("damaged     1"))
    }

    @Test func wholePicturesAreVerified() throws {
        try keepPicture()
        #expect(try run("verify") == .success)
        #expect(output.text == "1 images are whole, 0 damaged")
    }

    /// The second is a whole entry, but what it holds is not what it says.
    @Test func damagedPicturesAreNamed() throws {
        try keep([1, 2], as: "b.image")
        let other = StoredImage(data: [1, 2, 3], contentType: "image/png", fetchedAt: 1)
        try keep(try #require(ImageFile.entry(other, key: "c").encoded()), as: "c.image")
        #expect(try run("verify") == .badInput)
        #expect(output.text.contains("b.image: damaged"))
        #expect(output.text.contains("c.image: damaged"))
    }

    @Test func purgingRemovesPicturesAndNothingElse() throws {
        try keepPicture()
        try keep([1], as: "README")
        defer { try? FileManager.default.removeItem(at: directory) }
        guard case .images(let command) = try Command(["images", "purge"]) else { return }
        let shelf = ImageShelf(directory: directory.path, settings: Configuration.Images())
        let output = output
        #expect(command.run(shelf, Console(print: { output.add($0) }, complain: { _ in })) == .success)
        #expect(output.text == "1 images removed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["README"])
    }

    @Test func anotherWordIsAUsageErrorWithASuggestion() {
        #expect(throws: UsageError.self) { try Command(["images", "verfy"]) }
        #expect(throws: UsageError.self) { try Command(["images"]) }
    }
}
