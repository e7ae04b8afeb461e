/// What to measure; one case for each subfolder with a subject.
enum Subject: String, CaseIterable {
    case decode
    case encode
    case group
    case scale
    case serve
    case compose
    case upstream
    case images
    case observe
}

/// The command line, read.
struct Arguments: Equatable {
    enum Command: Equatable {
        case help
        case run(Arguments)
        case corpus(CorpusCommand)
    }

    /// The two that need nothing beside them and end within a minute or two; `all` stands for every one.
    var subjects: [Subject] = [.decode, .group]
    /// A file of people as swapi answers them; nil: a generated corpus.
    var corpus: String?
    /// Records to group.
    var rows = 5_000_000
    /// Distinct keys among them.
    var keys = 15
    /// A folder of PNGs to shrink; nil: the sandbox's.
    var pictures: String?
    /// Where the figures go as JSON; nil: nowhere.
    var json: String?

    /// More rows than this would not fit the 32-bit row numbers and byte offsets of a view.
    static let maximumRows = 50_000_000

    static let help = """
        Usage: Benchmarks [decode|encode|group|scale|serve|compose|upstream|images|observe|all] [--corpus FILE]
                          [--rows N] [--keys K] [--pictures DIR] [--json FILE]
               Benchmarks corpus --name NAME [--bytes N | --rows N] --output FILE

          decode         JSON to records, against Foundation's JSONDecoder
          encode         records to JSON, against Foundation's JSONEncoder
          group          grouping records by eye colour and sorting them, against Dictionary(grouping:)
          scale          1 KB to 100 MB of JSON, ten to ten million records
          serve          the server under load, against a bare epoll server and Redis
          compose        answers composed of cached ones, against plain cached ones
          upstream       uncached calls through the whole server, against one in Go
          images         pictures through the server, from memory and disk, against nginx; shrinking PNGs
          observe        a thousand observers told of a change
          all            every one of these; left out: decode and group
          --corpus FILE  people to decode: one JSON document {"count", "next", "previous", "results": […]},
                         or one a line; left out: 6 MB of each corpus, generated from fixed seeds
          --rows N       records to group, 1 to 50000000 (default 5000000)
          --keys K       distinct eye colours, 1 to 1000000 (default 15)
          --pictures DIR PNGs to shrink (default: the sandbox's and those under /usr/share)
          --json FILE    write the figures there, too
          corpus         writes a corpus for other programs: starwars, directory, tmdb or hostile of about N
                         bytes (default 6000000), or rows, the N records of group as CSV
          --help         this text
        """

    static func parse(_ words: [String]) throws(BenchmarkFault) -> Command {
        if words.first == "corpus" { return .corpus(try CorpusCommand.parse(words.dropFirst())) }
        var arguments = Arguments()
        var chosen: [Subject] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--corpus": arguments.corpus = try OptionValue.text(of: word, from: &rest)
            case "--pictures": arguments.pictures = try OptionValue.text(of: word, from: &rest)
            case "--json": arguments.json = try OptionValue.text(of: word, from: &rest)
            case "--rows": arguments.rows = try OptionValue.number(of: word, upTo: maximumRows, from: &rest)
            case "--keys": arguments.keys = try OptionValue.number(of: word, upTo: 1_000_000, from: &rest)
            case "all": chosen += Subject.allCases
            default:
                guard let subject = Subject(rawValue: word) else {
                    throw .usage("“\(word)” is neither a subject nor an option.")
                }
                chosen.append(subject)
            }
        }
        guard chosen.count < 2 || chosen == Subject.allCases else {
            throw .usage("Choose one subject, all, or none for decode and group.")
        }
        if !chosen.isEmpty { arguments.subjects = chosen }
        return .run(arguments)
    }
}

/// Takes the values of options off the front of a command line.
enum OptionValue {
    static func text(
        of option: String, from rest: inout ArraySlice<String>
    ) throws(BenchmarkFault) -> String {
        guard let value = rest.popFirst() else { throw .usage("\(option) needs a value.") }
        return value
    }

    static func number(
        of option: String, upTo maximum: Int, from rest: inout ArraySlice<String>
    ) throws(BenchmarkFault) -> Int {
        let text = try text(of: option, from: &rest)
        guard let number = Int(text), 1...maximum ~= number else {
            throw .usage("\(option) takes a whole number from 1 to \(maximum), not “\(text)”.")
        }
        return number
    }
}
