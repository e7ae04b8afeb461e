import Foundation

@main
enum Portico {
    static func main() async {
        let variables = ProcessInfo.processInfo.environment
        let status = await run(
            Array(CommandLine.arguments.dropFirst()), console: .process(variables: variables))
        exit(status.rawValue)
    }

    /// - Parameter arguments: without the program's name.
    static func run(_ arguments: [String], console: Console) async -> ExitStatus {
        let parsed: Command
        do {
            parsed = try Command(arguments)
        } catch {
            console.fail(error.text)
            return .usage
        }
        switch parsed {
        case .serve(let command): return await command.run(console)
        case .call(let command): return await command.run(console)
        case .list(let command): return await command.run(console)
        case .describe(let command): return await command.run(console)
        case .check(let command): return await command.run(console)
        case .config(let command): return command.run(console)
        case .convert(let command): return command.run(console)
        case .reload(let command): return await command.run(console)
        case .images(let command): return command.run(console)
        case .help(let text):
            console.print(text)
            return .success
        }
    }
}
