import Foundation

/// Measures what Portico does on a request's path against what a Swift program would do without it.
@main
enum Benchmarks {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if let role = ServeRole(words) { exit(role.run()) }
        do {
            switch try Arguments.parse(words) {
            case .help:
                print(Arguments.help)
            case .run(let arguments):
                if ReleaseBuild.isNeeded { try ReleaseBuild.replaceThisProcess(arguments: words) }
                try run(arguments)
            case .corpus(let corpus):
                if ReleaseBuild.isNeeded { try ReleaseBuild.replaceThisProcess(arguments: words) }
                try corpus.write()
            }
        } catch let fault {
            fault.report()
            exit(fault.exitCode)
        }
    }

    /// A subject that stops, for a peer that does not start or a result that is wrong, takes no other's figures with it.
    private static func run(_ arguments: Arguments) throws(BenchmarkFault) {
        print(Machine.line)
        var figures = Figures()
        var faults: [BenchmarkFault] = []
        for subject in arguments.subjects {
            do {
                try run(subject, arguments, &figures)
            } catch {
                if arguments.subjects.count > 1 { error.report() }
                faults.append(error)
            }
        }
        if let file = arguments.json { try figures.write(to: file) }
        if let fault = faults.first { throw fault }
    }

    private static func run(
        _ subject: Subject, _ arguments: Arguments, _ figures: inout Figures
    ) throws(BenchmarkFault) {
        switch subject {
        case .decode:
            for corpus in try corpora(arguments) {
                figures.decode[corpus.name] = try DecodeBenchmark(corpus).run()
            }
        case .encode:
            for corpus in try corpora(arguments) {
                figures.encode[corpus.name] = try EncodeBenchmark.run(corpus)
            }
        case .group:
            var benchmark = try GroupBenchmark(rows: arguments.rows, keys: arguments.keys)
            figures.group = try benchmark.run()
            try ViewBenchmark.run()
        case .scale: try ScaleBenchmark.run()
        case .serve: figures.serve = try ServeBenchmark.run()
        case .compose: figures.compose = try ComposeBenchmark.run()
        case .upstream: try UpstreamBenchmark.run()
        case .observe: figures.observe = try ObserveBenchmark.run()
        case .images: try ImagesBenchmark.run(pictures: arguments.pictures)
        }
    }

    private static func corpora(_ arguments: Arguments) throws(BenchmarkFault) -> [Corpus] {
        if let path = arguments.corpus { return [try Corpus.file(path)] }
        return CorpusKind.allCases.map { Corpus.generated($0, bytes: CorpusCommand.defaultBytes) }
    }
}
