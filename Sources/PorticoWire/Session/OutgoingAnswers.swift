/// Answers on their way out, cut into fragments; streams take turns, a fragment each, so that a large answer does not
/// hold up a small one.
struct OutgoingAnswers: Sendable {
    /// How an item ends its stream's turn.
    enum Ending: Sendable { case more, complete }

    private struct Item: Sendable {
        let streamID: UInt32
        let metadata: [UInt8]?
        let message: [UInt8]
        let ending: Ending
        var offset = 0
    }
    private var items: [Item] = []
    /// Whose turn it is, an index into ``items``.
    private var turn = 0
    /// Not yet written, without the frames' own bytes.
    private(set) var byteCount = 0

    var isEmpty: Bool { items.isEmpty }

    func holds(_ streamID: UInt32) -> Bool { items.contains { $0.streamID == streamID } }

    mutating func add(_ streamID: UInt32, metadata: [UInt8]?, message: [UInt8], _ ending: Ending) {
        items.append(Item(streamID: streamID, metadata: metadata, message: message, ending: ending))
        byteCount += message.count
    }

    mutating func remove(_ streamID: UInt32) {
        guard let index = items.firstIndex(where: { $0.streamID == streamID }) else { return }
        byteCount -= items[index].message.count - items[index].offset
        removeItem(at: index)
    }

    mutating func removeAll() { self = OutgoingAnswers() }

    private mutating func removeItem(at index: Int) {
        items.remove(at: index)
        if index < turn { turn -= 1 }
        if turn >= items.count { turn = 0 }
    }

    /// Writes the next fragment.
    /// - Returns: the stream whose item has now been written to its end, and how it ends.
    mutating func writeFragment(
        into output: inout FrameWriter, fragmentBytes: Int
    ) -> (streamID: UInt32, ending: Ending)? {
        guard !items.isEmpty else { return nil }
        let index = turn
        let (streamID, ending) = (items[index].streamID, items[index].ending)
        let start = items[index].offset
        let message = items[index].message
        let end = min(start + fragmentBytes, message.count)
        let isLast = end == message.count
        var flags: FrameFlags = isLast ? .next : .follows
        if isLast, case .complete = ending { flags.insert(.complete) }
        output.payload(
            on: streamID, flags, metadata: start == 0 ? items[index].metadata : nil,
            message: message, start..<end)
        byteCount -= end - start
        items[index].offset = end
        guard isLast else {
            turn = (turn + 1) % items.count
            return nil
        }
        removeItem(at: index)
        return (streamID, ending)
    }
}
