import CServePeers

/// What one run of the load generator does, as it travels on its command line.
struct LoadPlan: Equatable {
    enum Language: String {
        case frames, redis
        /// Calls that are never answered from a cache, because no two are alike, to Portico and to an HTTP server.
        case distinctFrames, distinctHTTP
    }

    var speaks: Language
    var port: UInt16
    var connections: Int
    var inFlight: Int
    /// Of a whole answer.
    var answerBytes: Int
    var seconds: Double
    /// Of the first of distinct requests.
    var firstNumber: UInt32
    /// Of the frames that are not distinct.
    var question = ServedExchange.Question.page

    static let warmUpSeconds = 0.3

    init(
        _ speaks: Language, port: UInt16, connections: Int, inFlight: Int, answerBytes: Int,
        seconds: Double, firstNumber: UInt32 = 0
    ) {
        self.firstNumber = firstNumber
        self.speaks = speaks
        self.port = port
        self.connections = connections
        self.inFlight = inFlight
        self.answerBytes = answerBytes
        self.seconds = seconds
    }

    init?(words: [String]) {
        guard words.count == 8, let speaks = Language(rawValue: words[0]), let port = UInt16(words[1]),
            let connections = Int(words[2]), let inFlight = Int(words[3]), let answerBytes = Int(words[4]),
            let seconds = Double(words[5]), let firstNumber = UInt32(words[6]),
            let question = ServedExchange.Question(rawValue: words[7])
        else { return nil }
        self.init(
            speaks, port: port, connections: connections, inFlight: inFlight, answerBytes: answerBytes,
            seconds: seconds, firstNumber: firstNumber)
        self.question = question
    }

    var words: [String] {
        [
            speaks.rawValue, "\(port)", "\(connections)", "\(inFlight)", "\(answerBytes)", "\(seconds)",
            "\(firstNumber)", question.rawValue,
        ]
    }

    /// Asks, and writes a ``LoadResult`` in one line.
    func run() -> Int32 {
        let result = unsafe withLoad { load -> LoadResult? in
            var result = load_result()
            return unsafe load_run(load, &result) == 0 ? LoadResult(result) : nil
        }
        guard let result else { return 70 }
        ServeRole.say(result.words)
        return 0
    }

    private var isFramed: Bool {
        switch speaks {
        case .frames, .distinctFrames: true
        case .redis, .distinctHTTP: false
        }
    }

    /// Calls `body` with the plan in the generator's own form.
    func withLoad<Result>(_ body: (UnsafePointer<load>) -> Result) -> Result {
        let (greeting, request) =
            switch speaks {
            case .frames: (ServedExchange.greeting, question.frame)
            case .redis: ([], ServedExchange.redisRequest)
            case .distinctFrames: (ServedExchange.greeting, DistinctCall.frame(firstNumber))
            case .distinctHTTP: ([], DistinctCall.http(firstNumber))
            }
        let (numbering, offset) =
            switch speaks {
            case .frames, .redis: (numbering_none, 0)
            case .distinctFrames: (numbering_varint, request.count - DistinctCall.varintBytes)
            case .distinctHTTP: (numbering_digits, DistinctCall.httpNumberOffset)
            }
        return unsafe greeting.withUnsafeBufferPointer { greeting in
            unsafe request.withUnsafeBufferPointer { request in
                var plan = unsafe load(
                    port: port, connections: Int32(connections), in_flight: Int32(inFlight),
                    warm_up_seconds: Self.warmUpSeconds, seconds: seconds, greeting: greeting.baseAddress,
                    greeting_bytes: greeting.count, request: request.baseAddress,
                    request_bytes: request.count, numbering: numbering, number_offset: offset,
                    first_number: firstNumber, answer_bytes: answerBytes, is_framed: isFramed ? 1 : 0)
                return unsafe body(&plan)
            }
        }
    }
}

/// What the load generator has seen.
struct LoadResult {
    var answers: Double
    /// Those of the warm-up, too.
    var allAnswers: Double
    var seconds: Double
    /// Microseconds.
    var p50, p99, p999: Double
    /// Of the generator's own processor time.
    var cpuSeconds: Double

    var answersPerSecond: Double { answers / seconds }

    init(_ result: load_result) {
        answers = Double(result.answers)
        allAnswers = Double(result.all_answers)
        seconds = result.seconds
        (p50, p99, p999) = (result.p50_microseconds, result.p99_microseconds, result.p999_microseconds)
        cpuSeconds = result.cpu_seconds
    }

    init?(words: String) {
        let numbers = words.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 7 else { return nil }
        (answers, allAnswers, seconds) = (numbers[0], numbers[1], numbers[2])
        (p50, p99, p999, cpuSeconds) = (numbers[3], numbers[4], numbers[5], numbers[6])
    }

    var words: String { "\(answers) \(allAnswers) \(seconds) \(p50) \(p99) \(p999) \(cpuSeconds)" }
}
