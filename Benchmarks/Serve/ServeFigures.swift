/// What one side did at one depth, the middle one of several rounds.
struct ServeRun {
    var load: LoadResult
    /// Of the server, for each answer.
    var cpuMicroseconds: Double

    static func middle(of runs: [ServeRun]) -> ServeRun {
        runs.sorted { $0.load.answersPerSecond < $1.load.answersPerSecond }[runs.count / 2]
    }
}

extension Figures {
    struct Serve: Encodable {
        struct Depth: Encodable {
            var porticoRequestsPerS: Double
            var bareRequestsPerS: Double
            var redisRequestsPerS: Double?
            /// The middle one of the rounds' ratios: both sides of each ran one behind the other.
            var ratioToBare: Double
            var p50Microseconds: Double
            var p99Microseconds: Double
            var p999Microseconds: Double
            var cpuMicrosecondsPerRequest: Double
            var bareCPUMicrosecondsPerRequest: Double

            enum CodingKeys: String, CodingKey {
                case porticoRequestsPerS = "portico_requests_per_s"
                case bareRequestsPerS = "bare_requests_per_s"
                case redisRequestsPerS = "redis_requests_per_s"
                case ratioToBare = "ratio_to_bare"
                case p50Microseconds = "p50_us"
                case p99Microseconds = "p99_us"
                case p999Microseconds = "p999_us"
                case cpuMicrosecondsPerRequest = "cpu_us_per_request"
                case bareCPUMicrosecondsPerRequest = "bare_cpu_us_per_request"
            }
        }

        /// What two loops do to what one does, when nobody else needs a core.
        struct TwoLoops: Encodable {
            var portico: Double
            var bare: Double
        }

        var oneInFlight: Depth?
        var sixteenInFlight: Depth?
        var allocationsPerRequest: Double?
        var bytesPerIdleConnection: Double?
        var twoLoops: TwoLoops?
        var firstAnswerMilliseconds: Double?

        enum CodingKeys: String, CodingKey {
            case oneInFlight = "1_in_flight"
            case sixteenInFlight = "16_in_flight"
            case allocationsPerRequest = "allocations_per_request"
            case bytesPerIdleConnection = "bytes_per_idle_connection"
            case twoLoops = "two_loops_to_one"
            case firstAnswerMilliseconds = "first_answer_ms"
        }
    }
}
