import Foundation
import PorticoUpstream
import Synchronization

/// What ``PNGShrinker`` saves on the PNGs of a folder.
enum PNGSaving {
    /// Few enough to wait for.
    private static let most = 300
    /// The sandbox's, made with care, and whatever the system has for its programs.
    static let folders = ["Environments/Sandbox", "/usr/share"]

    static func run(_ folder: String) throws(BenchmarkFault) {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let all = files.filter { $0.hasSuffix(".png") }.sorted()
        // At even distances, so that no program's are all of them.
        let pictures = stride(from: 0, to: all.count, by: max(1, (all.count + most - 1) / most)).compactMap {
            FileManager.default.contents(atPath: "\(folder)/\(all[$0])").map { [UInt8]($0) }
        }
        var (count, smaller, before, after) = (0, 0, 0, 0)
        let limits = ImageLimits(pixels: .max, frames: .max, allowsSVG: false)
        let time = ContinuousClock().measure {
            for picture in pictures where (try? ImageInspector.inspect(picture.span, within: limits)) != nil {
                let small = PNGShrinker.shrink(picture)
                count += 1
                before += picture.count
                after += small?.count ?? picture.count
                if small != nil { smaller += 1 }
            }
        }
        guard count > 0 else { return print("\nPNGs: none in \(folder)") }
        print(
            """

            PNGs of \(folder): \(count), of which \(smaller) became smaller: \(before) → \(after) bytes, \
            \((100 * Double(before - after) / Double(before)).digits(1)) % saved, in \(time.short)
            """)
    }
}

/// A place for the result of work that another thread does.
final class Box<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else { preconditionFailure("nobody has set the result") }
        return try result.get()
    }
}
