import PorticoSchema
import Foundation
import PorticoConfig
import PorticoUpstream

/// `portico images`
struct ImagesCommand: Equatable, Sendable {
    enum Action: String, CaseIterable, Sendable {
        case stats, list, verify, purge
    }

    var action: Action
    var environment: EnvironmentOptions

    static let definition = CommandDefinition(
        name: "images",
        summary: "Look at the images that an environment keeps on disk, check or remove them.",
        details: """
            stats   how many there are, of which types, and how many bytes
            list    each: type, bytes, when it was fetched, and its key
            verify  read each whole and check it; exits 65 if one is damaged
            purge   remove all of them

            A server may run meanwhile: it fetches again what it misses.
            """,
        operands: [.init(name: "ACTION", help: "stats, list, verify or purge.")],
        options: EnvironmentOptions.options)

    init(_ parsed: ParsedArguments) throws(UsageError) {
        let word = parsed.operands[0]
        guard let action = Action(rawValue: word) else {
            throw UsageError(
                "images does not \(word)", command: Self.definition.name,
                suggestion: Spelling.nearest(to: word, among: Action.allCases.map(\.rawValue)))
        }
        self.action = action
        environment = try EnvironmentOptions(parsed, command: Self.definition.name)
    }

    func run(_ console: Console, in process: ProcessContext = .current) -> ExitStatus {
        let settings: Configuration.Images
        do {
            settings = try StartUp.loadEnvironment(environment, in: process).configuration.configuration
                .images
        } catch {
            console.report(error)
            return .configuration
        }
        guard let directory = settings.directory else {
            console.fail("this environment keeps its images in memory only: images.directory is not set")
            return .configuration
        }
        return run(ImageShelf(directory: directory, settings: settings), console)
    }

    func run(_ shelf: ImageShelf, _ console: Console) -> ExitStatus {
        switch action {
        case .stats: shelf.printStatistics(console)
        case .list: shelf.printList(console)
        case .verify: shelf.verify(console)
        case .purge: shelf.purge(console)
        }
    }
}
