import Foundation
import PorticoConfig
import PorticoUpstream

/// The images on disk, as `portico images` shows and treats them.
struct ImageShelf {
    private let directory: String
    private let inventory: DiskInventory
    private let settings: Configuration.Images
    private let limits: ImageLimits

    init(directory: String, settings: Configuration.Images) {
        self.directory = directory
        self.settings = settings
        inventory = DiskInventory(directory: directory, kind: ImageCache.diskKind)
        // A setting that has been narrowed since does not make a file damaged.
        limits = ImageLimits(pixels: .max, frames: .max, allowsSVG: true)
    }

    func printStatistics(_ console: Console) -> ExitStatus {
        var (types, damaged, bytes, saved) = ([String: Int](), 0, 0, 0)
        each(console, "read") { file, finding in
            bytes += file.bytes
            switch finding {
            case .whole(let entry):
                types[entry.contentType, default: 0] += 1
                // What is kept deflated, against what it is when it is not.
                if let image = image(entry) {
                    saved += image.message.count - (image.packed ?? image.message).count
                }
            case .damaged: damaged += 1
            case .gone: break
            }
        }
        console.print("directory   \(directory)")
        console.print("images      \(types.values.reduce(0, +))")
        for (type, count) in types.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            console.print("            \(count) \(type)")
        }
        console.print("bytes       \(bytes) of \(settings.maxBytes)")
        console.print("deflated    \(saved) bytes saved")
        console.print("damaged     \(damaged)")
        return .success
    }

    func printList(_ console: Console) -> ExitStatus {
        each(console, "read") { file, finding in
            switch finding {
            case .whole(let entry):
                let time = Date(timeIntervalSince1970: Double(entry.fetchedAt)).ISO8601Format()
                console.print("\(entry.contentType)\t\(file.bytes)\t\(time)\t\(entry.key)")
            case .damaged: console.print("damaged\t\(file.bytes)\t-\t\(file.name)")
            case .gone: break
            }
        }
        return .success
    }

    func verify(_ console: Console) -> ExitStatus {
        var (whole, damaged) = (0, 0)
        each(console, "checked") { file, finding in
            switch finding {
            case .whole(let entry) where isPicture(entry): whole += 1
            case .whole, .damaged:
                damaged += 1
                console.complain("\(directory)/\(file.name): damaged")
            case .gone: break
            }
        }
        console.print("\(whole) images are whole, \(damaged) damaged")
        return damaged == 0 ? .success : .badInput
    }

    func purge(_ console: Console) -> ExitStatus {
        var progress = Progress(console, "removed")
        let files = inventory.files()
        var left = 0
        for (count, file) in files.enumerated() {
            if !inventory.remove(file) { left += 1 }
            progress.reached(count + 1, of: files.count)
        }
        console.print("\(files.count - left) images removed")
        guard left > 0 else { return .success }
        console.fail("\(left) files cannot be removed from \(directory)")
        return .unavailable
    }

    private func each(
        _ console: Console, _ done: String, _ body: (DiskInventory.File, DiskInventory.Finding) -> Void
    ) {
        var progress = Progress(console, done)
        let files = inventory.files()
        for (count, file) in files.enumerated() {
            body(file, inventory.look(into: file, limitBytes: ImageCache.diskEntryLimit(settings)))
            progress.reached(count + 1, of: files.count)
        }
    }

    private func image(_ entry: DiskEntry) -> StoredImage? {
        ImageFile.image(entry, limitBytes: ImageCache.diskEntryLimit(settings))
    }

    private func isPicture(_ entry: DiskEntry) -> Bool {
        guard let data = image(entry)?.data else { return false }
        return (try? ImageInspector.inspect(data.span, within: limits))?.format.rawValue == entry.contentType
    }
}

/// Says on standard error how far a command has come, once a second.
struct Progress {
    private let console: Console
    private let done: String
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant

    init(_ console: Console, _ done: String) {
        self.console = console
        self.done = done
        next = clock.now + .seconds(1)
    }

    mutating func reached(_ count: Int, of total: Int) {
        guard clock.now >= next else { return }
        next = clock.now + .seconds(1)
        console.complain("portico: \(done) \(count) of \(total)")
    }
}
