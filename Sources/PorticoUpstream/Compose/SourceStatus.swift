import PorticoWire

/// `portico.v1.SourceStatus`: how a part of a composed answer fared.
struct SourceStatus: Equatable {
    /// The message's fields.
    enum Field {
        static let name = 1
        static let ok = 2
        static let code = 3
        static let message = 4
        static let stale = 5
        static let age = 6
    }

    let name: String
    let error: CallError?
    /// Of a stale answer. A fresh one's changes with every call, and tells less than `ok`.
    let staleAge: Duration?

    init(_ name: String, _ outcome: GatheredParts.Outcome) {
        self.name = name
        switch outcome {
        case .success(let answer): (error, staleAge) = (nil, answer.origin == .stale ? answer.age : nil)
        case .failure(let error): (self.error, staleAge) = (error, nil)
        }
    }

    func write(to writer: inout ProtobufWriter) {
        writer.stringField(Field.name, name)
        if let error {
            writer.stringField(Field.code, error.code.name)
            writer.stringField(Field.message, error.message)
        } else {
            writer.boolField(Field.ok, true)
        }
        guard let staleAge else { return }
        writer.boolField(Field.stale, true)
        writer.varintField(Field.age, UInt64(max(0, staleAge.milliseconds)))
    }
}
