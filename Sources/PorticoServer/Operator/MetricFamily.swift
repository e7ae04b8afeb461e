/// One metric with its samples, as Prometheus' text format 0.0.4 writes it.
///
/// Worked example: name `portico_calls_total`, kind counter, one sample with the label code `OK` and the value 3 is
/// ```
/// # HELP portico_calls_total Calls that ended, by code.
/// # TYPE portico_calls_total counter
/// portico_calls_total{code="OK"} 3
/// ```
package struct MetricFamily: Equatable, Sendable {
    package enum Kind: String, Sendable { case counter, gauge }

    package struct Sample: Equatable, Sendable {
        /// In the order of writing.
        package var labels: [Label]
        package var value: Double
        package init(labels: [Label] = [], value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    package struct Label: Equatable, Sendable {
        package var name: String
        package var value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`; counters end in `_total`.
    package var name: String
    package var help: String
    package var kind: Kind
    package var samples: [Sample]

    package init(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    func write(to text: inout String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { label in
                "\(label.name)=\"\(Self.escaped(label.value).replacing("\"", with: "\\\""))\""
            }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
            text += " \(Self.number(sample.value))\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    /// Whole numbers without a fraction: they are counts.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
