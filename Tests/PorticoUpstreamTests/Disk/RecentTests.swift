import PorticoEventLoop
import PorticoUpstream
import TestSupport
import Testing

@Suite struct RecentTests {
    /// Files come, go and come again; no more are open than may be, and each is the one that came last under its name.
    @Test(arguments: [1, 3, 8]) func noMoreStayOpenThanMay(limit: Int) throws {
        let directory = try TemporaryDirectory()
        directory.write([], to: "a")
        var (files, model) = (Recent<String, OpenFile>(limit: limit), [String: ObjectIdentifier]())
        var dice = SeededGenerator(seed: UInt64(limit))
        for _ in 0..<2000 {
            let name = "\(Int.random(in: 0..<12, using: &dice))"
            if Bool.random(using: &dice) {
                let file = try #require(OpenFile("\(directory.path)/a"))
                files.add(file, name)
                model[name] = ObjectIdentifier(file)
                #expect(files[name] === file)
            } else {
                files.remove(name)
                model[name] = nil
                #expect(files[name] == nil)
            }
            #expect(files.count <= limit)
            #expect(directory.openFiles.count == files.count)
            for name in model.keys {
                if let file = files[name] { #expect(ObjectIdentifier(file) == model[name]) }
            }
        }
    }
}
