import PorticoSchema
import PorticoTranscode

/// A type that keys have: how its values are written, read and shown again.
struct ValueKind<Value: Sendable>: Sendable {
    /// As the documentation calls it, bounds included: `size, 1B or more`.
    let name: String
    let shape: ValueShape
    let read: @Sendable (RawValue) throws(Refusal) -> Value
    /// The spelling that `--set` takes.
    let show: @Sendable (Value) -> String
    /// Never shown, wherever it comes from.
    var isSecret = false

    /// `none` (in files, `null`) besides what this kind takes.
    var optional: ValueKind<Value?> {
        ValueKind<Value?>(
            name: "\(name); or none", shape: .optional(shape),
            read: { raw throws(Refusal) in raw.isNone ? nil : try self.read(raw) },
            show: { $0.map(self.show) ?? "none" },
            isSecret: isSecret)
    }

    /// - Parameter text: `as cache.fresh`: what absence means.
    func absent(_ text: String) -> ValueKind<Value?> {
        ValueKind<Value?>(
            name: name, shape: shape,
            read: { raw throws(Refusal) in try self.read(raw) },
            show: { $0.map(self.show) ?? text },
            isSecret: isSecret)
    }
}

extension ValueKind where Value == Bool {
    static let bool = ValueKind(
        name: "true or false", shape: .bool,
        read: { raw throws(Refusal) in
            if case .document(let document) = raw.form, case .bool(let bool) = document.content {
                return bool
            }
            if case .text(let text) = raw.form, let bool = Bool(text) { return bool }
            throw Refusal("expected true or false, found \(raw.shown)")
        },
        show: { "\($0)" })
}

extension ValueKind where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> ValueKind {
        ValueKind(
            name: "integer, \(range.lowerBound) to \(range.upperBound)", shape: .integer(range),
            read: { raw throws(Refusal) in
                let digits: String
                switch raw.form {
                case .text(let text): digits = text
                case .document(let document):
                    guard case .number(let text) = document.content else {
                        throw Refusal("expected an integer, found \(raw.shown)")
                    }
                    digits = text
                }
                guard let integer = Int(digits) else {
                    throw Refusal("expected an integer, found \(raw.shown)")
                }
                guard range.contains(integer) else {
                    throw Refusal("\(raw.shown) is outside \(range.lowerBound) to \(range.upperBound)")
                }
                return integer
            },
            show: { "\($0)" })
    }

    /// Bytes.
    static func size(_ range: ClosedRange<Int>) -> ValueKind {
        let bounds = "\(ByteSize.text(range.lowerBound)) to \(ByteSize.text(range.upperBound))"
        return ValueKind(
            name: "size, \(bounds)", shape: .text(pattern: ByteSize.pattern),
            read: { raw throws(Refusal) in
                let text = try raw.text(expected: "a size such as \"64KiB\"")
                guard let bytes = ByteSize.parse(text) else {
                    throw Refusal(
                        "\(raw.shown) is not a size (B, KiB, MiB, GiB)\(raw.hint(ByteSize.repair(text)))")
                }
                guard range.contains(bytes) else { throw Refusal("\(raw.shown) is outside \(bounds)") }
                return bytes
            },
            show: { ByteSize.text($0) })
    }
}

extension ValueKind where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> ValueKind {
        let bounds = "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        return ValueKind(
            name: "duration, \(bounds)", shape: .text(pattern: DurationText.pattern),
            read: { raw throws(Refusal) in
                let text = try raw.text(expected: "a duration such as \"5s\"")
                guard let duration = DurationText.parse(text) else {
                    let hint = raw.hint(DurationText.repair(text))
                    throw Refusal("\(raw.shown) is not a duration (ms, s, m, h)\(hint)")
                }
                guard range.contains(duration) else { throw Refusal("\(raw.shown) is outside \(bounds)") }
                return duration
            },
            show: { DurationText.text($0) })
    }
}

extension ValueKind where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    static var choice: ValueKind {
        let choices = Value.allCases.map(\.rawValue)
        return ValueKind(
            name: "one of \(choices.joined(separator: ", "))", shape: .choice(choices),
            read: { raw throws(Refusal) in
                let list = choices.joined(separator: ", ")
                let text = try raw.text(expected: "one of \(list)")
                guard let value = Value(rawValue: text) else {
                    let hint = raw.hint(Spelling.nearest(to: text, among: choices).map { "\"\($0)\"" })
                    throw Refusal("\(raw.shown) is not one of \(list)\(hint)")
                }
                return value
            },
            show: { $0.rawValue })
    }
}

extension ValueKind where Value == String {
    /// A directory; it is made when it is first needed.
    static let directory = ValueKind(
        name: "directory", shape: .text(pattern: "."),
        read: { raw throws(Refusal) in
            let text = try raw.text(expected: "the path of a directory")
            guard !text.isEmpty else { throw Refusal("the path is empty; none says that there is none") }
            guard !text.utf8.contains(0) else { throw Refusal("a path cannot hold a zero byte") }
            return text
        },
        show: { $0 })
}

extension ValueKind where Value == Secret {
    /// - Parameter subject: what the text is sent as, for errors: `a header field`.
    static func secret(_ subject: String) -> ValueKind {
        ValueKind(
            name: "text, never shown", shape: .text(pattern: "."),
            read: { raw throws(Refusal) in
                let text = try raw.text(expected: "a text")
                guard !text.isEmpty else { throw Refusal("\(subject) must not be empty") }
                guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
                    throw Refusal("\(subject) must not hold control characters, line breaks among them")
                }
                return Secret(text)
            },
            show: { $0.description },
            isSecret: true)
    }
}
