/// A feature flag as the server evaluated it for this client.
public struct Flag: Sendable, Equatable {
    /// What a switch in an app needs to know. `unknown` is no `off`: a kill switch and a launch flag default differently.
    public enum State: Sendable, Equatable {
        case on
        case off
        /// Never evaluated, not defined, its rules failed, or it is no switch: ``Flag/reason`` says which.
        case unknown
    }

    public enum Value: Sendable, Equatable {
        case bool(Bool)
        case string(String)
        case number(Double)
        /// An object or a list, as JSON.
        case json(String)
    }

    public let name: String
    /// Nil: unknown.
    public let value: Value?
    /// Of the definition; empty when the value is unknown.
    public let variant: String
    /// OpenFeature's: `STATIC`, `TARGETING_MATCH`, `DEFAULT`, `DISABLED`, `ERROR`; ``notEvaluated`` when the server has
    /// not said anything.
    public let reason: String

    public static let notEvaluated = "NOT_EVALUATED"
    static let error = "ERROR"

    init(name: String, value: Value?, variant: String, reason: String) {
        self.name = name
        // The server gives the default variant of a flag that failed; whoever asks decides what that is to mean.
        let isKnown = reason != Self.error
        self.value = isKnown ? value : nil
        self.variant = isKnown ? variant : ""
        self.reason = reason
    }

    public var state: State {
        switch value {
        case .bool(true)?: .on
        case .bool(false)?: .off
        case .string?, .number?, .json?, nil: .unknown
        }
    }

    /// - Parameter otherwise: when the flag is unknown: true for a kill switch, false for a launch flag.
    public func isOn(otherwise: Bool) -> Bool {
        switch state {
        case .on: true
        case .off: false
        case .unknown: otherwise
        }
    }

    /// - Parameter otherwise: when the flag is unknown or no text.
    public func string(otherwise: String) -> String {
        if case .string(let text)? = value { text } else { otherwise }
    }

    /// - Parameter otherwise: when the flag is unknown or no number.
    public func number(otherwise: Double) -> Double {
        if case .number(let number)? = value { number } else { otherwise }
    }
}

/// The flags that were asked for, by name; one that is not among them is unknown.
public struct Flags: Sendable, Equatable {
    private var flags: [String: Flag] = [:]

    /// Before the first answer: every flag is unknown.
    public init() {}

    init(_ flags: [Flag]) { for flag in flags { self.flags[flag.name] = flag } }

    public subscript(name: String) -> Flag {
        flags[name] ?? Flag(name: name, value: nil, variant: "", reason: Flag.notEvaluated)
    }

    /// Sorted.
    public var names: [String] { flags.keys.sorted() }
}
