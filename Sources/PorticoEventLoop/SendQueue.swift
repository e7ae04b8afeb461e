package import PorticoWire

/// What ``SendQueue/flush(to:)`` left.
package enum FlushOutcome: Equatable, Sendable {
    /// Everything is with the kernel.
    case drained
    /// The kernel's buffer is full: ask for ``Interest/write`` and flush again then.
    case pending
    case failed(errno: Int32)
}

/// Bytes on their way to one socket: many small answers leave in one write.
///
/// The storage is kept while a connection is busy and given back when the queue drains after having grown, so that an
/// idle connection holds next to nothing.
package struct SendQueue: Sendable {
    /// Storage above this is given back once drained.
    private static let keptBytes = 16 << 10
    /// The same of storage that is lent: there is one for each loop. Fresh pages for each picture cost a tenth of sending it.
    private static let keptLentBytes = 512 << 10

    private var bytes: [UInt8] = []
    /// Bytes at the front that are already sent.
    private var sent = 0

    package init() {}

    /// Bytes not yet with the kernel.
    package var count: Int { bytes.count - sent }
    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ more: Span<UInt8>) { bytes.append(copying: more) }

    package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// For encoders that append to an array; what was there before must stay as it is.
    package mutating func withAppending(_ body: (inout [UInt8]) -> Void) { body(&bytes) }

    /// Writes as much as the kernel takes.
    package mutating func flush(to socket: borrowing Socket) -> FlushOutcome {
        flush(to: socket, keepingBytes: Self.keptBytes)
    }

    private mutating func flush(to socket: borrowing Socket, keepingBytes: Int) -> FlushOutcome {
        while !isEmpty {
            switch socket.send(bytes.span.extracting(droppingFirst: sent)) {
            case .sent(let count): sent += count
            case .wouldBlock:
                compact()
                return .pending
            case .failed(let code): return .failed(errno: code)
            }
        }
        sent = 0
        bytes.removeAll(keepingCapacity: bytes.capacity <= keepingBytes)
        return .drained
    }

    /// Lends the storage to an encoder that appends to it; what is in it must stay as it is. Nothing else may be asked
    /// of the queue until ``takeBack(_:)`` or ``flush(_:to:)``.
    package mutating func lend() -> [UInt8] { exchange(&bytes, with: []) }

    /// Swapped, not handed over: a second reference would make the next write a copy.
    package mutating func takeBack(_ lent: inout [UInt8]) { swap(&bytes, &lent) }

    /// Takes back what was lent, as ``takeBack(_:)`` does, and writes as much as the kernel takes. Once all of it is with the
    /// kernel, `output` has the empty storage again: nothing stays with a queue that has drained.
    ///
    /// Content that `output` has been lent itself is copied only if the kernel does not take it at once. It may have been
    /// lent such content only while the queue was empty.
    /// - Returns: also how many bytes the kernel took.
    package mutating func flush(
        _ output: inout FrameWriter, to socket: borrowing Socket
    ) -> (outcome: FlushOutcome, sentBytes: Int) {
        var sentBytes = 0
        if !output.lent.isEmpty {
            switch socket.send(output) {
            case .sent(let count): sentBytes = count
            case .wouldBlock: break
            case .failed(let code): return (.failed(errno: code), 0)
            }
            output.join(droppingFirst: sentBytes)
        }
        takeBack(&output.bytes)
        let before = count
        let outcome = flush(to: socket, keepingBytes: Self.keptLentBytes)
        sentBytes += before - count
        if outcome == .drained { swap(&bytes, &output.bytes) }
        return (outcome, sentBytes)
    }

    /// Drops the sent front when it is the larger part, so that a reader that is always behind costs no memory.
    private mutating func compact() {
        guard sent > bytes.count / 2 else { return }
        bytes.removeSubrange(..<sent)
        sent = 0
    }
}
