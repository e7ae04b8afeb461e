package import PorticoConfig
package import PorticoTranscode

/// What an operator may know about the configuration that runs, and about the last attempt to replace it if that failed.
package struct ConfigurationStatus: Sendable {
    /// An attempt that changed nothing.
    package struct Failure: Sendable, Equatable {
        /// Each with its place.
        package var faults: [String]
        /// Seconds since 1970.
        package var time: Int64

        package init(faults: [String], time: Int64) {
            self.faults = faults
            self.time = time
        }

        var document: JSONValue {
            .object([
                .init("time", .string("\(Timestamp(milliseconds: time * 1000))")),
                .init("faults", .array(faults.map { .string($0) })),
            ])
        }
    }

    package var generation: Int
    package var environment: String
    /// Secrets are not in them.
    package var values: [LoadedConfiguration.Value]
    /// In the files, but not in force before the next start.
    package var waiting: [Difference]
    package var failure: Failure?
    package var readyNeeds: Configuration.OperatorInterface.ReadyRule

    package init(
        generation: Int, environment: String, values: [LoadedConfiguration.Value], waiting: [Difference] = [],
        failure: Failure? = nil, readyNeeds: Configuration.OperatorInterface.ReadyRule = .server
    ) {
        self.readyNeeds = readyNeeds
        self.generation = generation
        self.environment = environment
        self.values = values
        self.waiting = waiting
        self.failure = failure
    }

    var document: JSONValue {
        .object([
            .init("environment", .string(environment)), .init("generation", .number("\(generation)")),
            .init(
                "values",
                .object(
                    values.map { value in
                        .init(
                            value.key,
                            .object([
                                .init("value", .string(value.shown)),
                                .init("origin", .string("\(value.origin)")),
                            ]))
                    })),
            .init("needRestart", .array(waiting.map { .string($0.text) })),
            .init("failedReload", failure?.document ?? .null),
        ])
    }
}

/// What a reload did: `POST /reload`, and the line in the log.
package struct ReloadReport: Sendable, Equatable {
    /// The generation that runs after it.
    package var generation: Int
    package var applied: [Difference]
    /// Take a restart.
    package var waiting: [Difference]
    /// Not empty: nothing was changed.
    package var faults: [String]

    package init(
        generation: Int, applied: [Difference] = [], waiting: [Difference] = [], faults: [String] = []
    ) {
        self.generation = generation
        self.applied = applied
        self.waiting = waiting
        self.faults = faults
    }

    package var document: JSONValue {
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return .object([
            .init("outcome", .string(faults.isEmpty ? "applied" : "refused")),
            .init("generation", .number("\(generation)")), .init("applied", texts(applied.map(\.text))),
            .init("needRestart", texts(waiting.map(\.text))), .init("faults", texts(faults)),
        ])
    }
}
