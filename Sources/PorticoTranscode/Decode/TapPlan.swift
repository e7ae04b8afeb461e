// How the decoder knows where the fields are that views look at: it notes them as it writes. Worked example, a page whose
// `people` are field 4, with `eye_color = 6` tapped, and of its JSON the first person, `{"name":"C","eye_color":"red"}`:
//
//     22 ??                       the list's tag, a byte aside for the length
//     22 ?? 0a 01 43              name
//     22 ?? 0a 01 43 32 03 72 …   eye_color: before it is written, 5 is noted
//     22 08 0a 01 43 32 03 72 …   the person's length; its place and the note are kept: 2 8 5
//
// A field that is left out is noted, too: the tag of another stands there then. A length that needs another width than was
// set aside moves the record, and its notes with it. A key that comes again moves fields, but that is rare: then the page has
// no places. The records' message has a copy of its own in the plan, so that messages of its type elsewhere, and decodes that
// tap nothing, have nothing to do with it.

/// What of a message is tapped.
struct TapPlan: Sendable {
    let fields: TappedFields?
    /// Index of the list in ``RecordPlan/fields``; -1: nothing is tapped.
    var list = -1
    /// Index of the records' message in ``RecordPlan/messages``.
    var record = -1

    init(_ fields: TappedFields?) { self.fields = fields }

    /// The number of a field of the message `message` of the plan among the tapped ones; -1: it is none.
    func tap(_ field: Int, in message: Int) -> Int8 {
        guard message == record, let tap = fields?.fields.firstIndex(of: field) else { return -1 }
        return Int8(tap)
    }

    /// Set from the beginning among the fields of a record that are set, and among the rivals of tapped keys: so the lane
    /// asks for nothing more of the others than it does anyhow. ``FastLane/textRun(from:_:_:in:)`` ends before a tapped key;
    /// noting it there made Star Wars 3 % slower for decoders that tap nothing.
    static let bit: UInt64 = 1 << 63
    /// Records with more fields have no bit to spare.
    static let mostFields = 63
}

extension RecordReader {
    /// Of a record that was written.
    /// - Parameters:
    ///   - length: the bytes that were set aside for its length.
    ///   - end: of the record.
    ///   - jsonBytes: of the record.
    mutating func keepPlaces(_ length: LengthPlace, end: Int, jsonBytes: Int, in json: Span<UInt8>) {
        let width = Int(lengthWidths[plan.taps.list])
        if !places.hasRoom(taps: following.taps) {
            let left = (json.count - cursor.offset) / jsonBytes
            places.makeRoom(taps: following.taps, records: left, jsonBytes: json.count)
        }
        places.keep(length.start + width..<end, following, movedBy: width - length.width)
        // The next record begins where notes of this one may still point.
        if width < length.width { following.forgetTaps() }
    }

    /// Of all records; none are left.
    mutating func takePlaces() -> RecordPlaces? { places.take(plan.taps.fields, pageBytes: out.count) }
}

/// The places of the records that were read, on their way to ``RecordPlaces``.
struct KeptPlaces: Sendable {
    private var words: [UInt32] = []
    /// Behind the words that have been filled.
    private var end = 0
    private var isLost = false

    /// A kilobyte, which any page may have.
    private static let fewWords = 256

    @inline(__always)
    func hasRoom(taps: Int) -> Bool { end &+ RecordPlaces.recordWords &+ taps <= words.count }

    /// For a record and some behind it. Places are given up, not to take more bytes than the JSON, when records are that
    /// small and many.
    /// - Parameter records: how many there may be; a thousand are believed, then as many as there were.
    @inline(never)
    mutating func makeRoom(taps: Int, records: Int, jsonBytes: Int) {
        let most = max(jsonBytes / MemoryLayout<UInt32>.stride, Self.fewWords)
        guard end < most else {
            end = 0
            return lose()
        }
        let step = RecordPlaces.recordWords + taps
        let more = max(min(records + records / 8, 1000) * step, end)
        let count = min(more, most - end) + step
        if words.isEmpty {
            words = Array(repeating: 0, count: count)
        } else {
            words.append(contentsOf: repeatElement(0, count: count))
        }
    }

    /// A record has been read.
    mutating func keep(_ record: Range<Int>, _ notes: borrowing Predictions, movedBy distance: Int) {
        let first = end &+ RecordPlaces.recordWords
        var words = words.mutableSpan
        words[first &- 2] = UInt32(truncatingIfNeeded: record.lowerBound)
        words[first &- 1] = UInt32(truncatingIfNeeded: record.count)
        for tap in 0..<notes.taps {
            let place = Int(notes.tap(tap)) &+ distance
            words[first &+ tap] =
                record.contains(place) ? UInt32(truncatingIfNeeded: place) : RecordPlaces.absent
        }
        end = first &+ notes.taps
    }

    /// Fields have moved.
    mutating func lose() { isLost = true }

    /// The list has come again, with everything around it.
    mutating func forget() { (end, isLost) = (0, false) }

    /// Those of all records; none are left.
    mutating func take(_ tapped: TappedFields?, pageBytes: Int) -> RecordPlaces? {
        // Notes are 32 bits wide.
        guard let tapped, !isLost, pageBytes <= Int32.max else { return nil }
        // In place: the array must have no other owner.
        words.removeLast(words.count - end)
        return RecordPlaces(tapped, words: exchange(&words, with: []))
    }
}
