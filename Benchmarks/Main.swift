import Foundation

/// Measures what Portico does on a request's path against what a Swift program would do without it.
@main
enum Benchmarks {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch try Arguments.parse(words) {
            case .help:
                print(Arguments.help)
            case .run(let arguments):
                if ReleaseBuild.isNeeded { try ReleaseBuild.replaceThisProcess(arguments: words) }
                try run(arguments)
            }
        } catch let fault {
            fault.report()
            exit(fault.exitCode)
        }
    }

    private static func run(_ arguments: Arguments) throws(BenchmarkFault) {
        print(Machine.line)
        var figures = Figures()
        for subject in arguments.subjects {
            switch subject {
            case .decode: figures.decode = try DecodeBenchmark.run(corpus: arguments.corpus)
            case .group:
                figures.group = try GroupBenchmark.run(rows: arguments.rows, keys: arguments.keys)
                try ViewBenchmark.run()
            }
        }
        if let file = arguments.json { try figures.write(to: file) }
    }
}
