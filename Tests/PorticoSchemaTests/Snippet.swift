import Testing

/// A schema file in short: `syntax` and package `p` are put before it, and our options imported, all on line 1.
struct Snippet: Sendable, CustomTestStringConvertible {
    /// From line 2 on.
    let text: String
    /// `line:column: message`, in order; empty: nothing is wrong.
    let faults: [String]
    /// False: protoc accepts what we refuse, or says so only as a warning.
    let protocAgrees: Bool

    static let head = """
        syntax = "proto3"; package p; import "portico/v1/options.proto"; import "portico/v1/image.proto";

        """

    init(_ text: String, _ faults: String..., protocAgrees: Bool = true) {
        self.init(text, faults: faults, protocAgrees: protocAgrees)
    }

    init(_ text: String, faults: [String], protocAgrees: Bool = true) {
        self.text = text
        self.faults = faults
        self.protocAgrees = protocAgrees
    }

    var file: String { Self.head + text }
    var testDescription: String { text }
}
