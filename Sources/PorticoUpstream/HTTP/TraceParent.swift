/// The trace that a call is part of (W3C Trace Context, section 3.2): told to the upstreams that are asked for its sake,
/// as it came.
///
/// It goes with the task that waits, and with the flight that this task began. Who joins a flight has no part in its trace,
/// and it is in no key: traces do not make answers differ.
package struct TraceParent: Sendable, Equatable {
    /// Of the running task.
    @TaskLocal package static var current: TraceParent?

    /// Version 00: two digits, then the lengths of trace id, parent id and flags.
    private static let lengths = [2, 32, 16, 2]

    let text: String

    /// Nil: not in the form of version 00, which is the only one there is. Then it is as if there were none.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == Self.lengths, parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }),
            text.hasPrefix("00-"), !Self.isZero(parts[1]), !Self.isZero(parts[2])
        else { return nil }
        self.text = text
    }

    /// What `body` begins is part of the trace; of none, if it has not the form of one.
    package static func carrying(_ text: String?, _ body: () -> Void) {
        guard let parent = text.flatMap(TraceParent.init) else { return body() }
        $current.withValue(parent, operation: body)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isZero(_ digits: Substring.UTF8View) -> Bool {
        digits.allSatisfy { $0 == UInt8(ascii: "0") }
    }
}
