// One pass over the JSON that writes the record as it goes. Worked example, `{"name":"Yoda","height":"66"}` into
// `Person { string name = 1; uint32 height = 2; }`:
//
//     "name":   expected first, matches    0a ??              tag and a byte aside for the length
//     "Yoda"    copied while checked       0a ?? 59 6f 64 61
//               its length                 0a 04 59 6f 64 61
//     "height": expected behind "name"     … 10               text with a number in it, for a number field
//     "66"                                 … 10 42
//
// A key that comes again replaces what it wrote before. The earlier bytes are only noted (``Cut``) and removed when the
// message ends, all of them in one sweep, so that many repeated keys stay linear.

struct RecordReader: ~Copyable {
    let plan: RecordPlan
    let options: DecodeOptions
    var cursor = JSONCursor()
    var out: RecordBuffer
    /// Containers open around the cursor.
    var depth = 0
    var skippedItems = 0
    var unknownEnumValues = 0
    /// What ``RecordPlan/following`` predicts, corrected by what this input does.
    var following: Predictions
    /// For the fast lane.
    var textMarks = TextMarks()
    /// Bytes to set aside for each field's length: as many as it took the last time.
    var lengthWidths: [UInt8]
    /// Earlier values of fields of the messages being read, to be removed when their message ends.
    var cuts: [Cut] = []
    /// Which fields beyond the 64th are set, for each message being read that has so many.
    var wideSeen: [UInt64] = []
    /// Of the records of the tapped list.
    var places = KeptPlaces()
    /// Where entries of the maps being read lie in ``out``.
    var mapEntries: [MapEntry] = []

    /// What field `number` wrote before `end` has been replaced.
    struct Cut {
        let number: Int
        let end: Int
    }

    /// A message being read.
    struct Frame {
        let message: Int
        /// Where it begins in ``RecordReader/out``.
        let start: Int
        let firstCut: Int
        let firstWideSeen: Int
        /// Which of its first 64 fields are set; of a tapped record ``TapPlan/bit``, too.
        var seen: UInt64
    }

    init(plan: RecordPlan, options: DecodeOptions, out: consuming RecordBuffer) {
        self.plan = plan
        self.options = options
        self.out = out
        following = Predictions(plan.following, taps: plan.taps.fields?.fields.count ?? 0)
        lengthWidths = Array(repeating: 1, count: plan.fields.count)
    }

    /// Reads the object here as a message.
    mutating func readMessage(_ message: Int, in json: Span<UInt8>) throws(ReadingFault) {
        var frame = Frame(
            message: message, start: out.count, firstCut: cuts.count, firstWideSeen: wideSeen.count,
            seen: plan.messages[message].firstSeen)
        let fieldCount = plan.messages[message].fieldCount
        if fieldCount > 64 { wideSeen += Array(repeating: 0, count: (fieldCount - 1) / 64) }
        let at = cursor.offset
        try readObject(plan.messages[message].object, of: &frame, in: json)
        try close(frame, at: at)
        if fieldCount > 64 { wideSeen.removeLast(wideSeen.count - frame.firstWideSeen) }
    }

    /// Checks that a message which ends here has what it must, and removes what was replaced in it.
    /// - Parameter at: where it begins in the JSON.
    mutating func close(_ frame: Frame, at: Int) throws(ReadingFault) {
        for field in plan.messages[frame.message].required where !isSet(plan.fields[field].slot, in: frame) {
            throw ReadingFault(.missing(field: plan.fieldNames[field]), at: at)
        }
        if cuts.count > frame.firstCut { removeReplaced(of: frame) }
    }

    /// Reads the object here, filling fields of the frame's message.
    private mutating func readObject(
        _ object: Int, of frame: inout Frame, in json: Span<UInt8>
    ) throws(ReadingFault) {
        guard cursor.peek(in: json) == UInt8(ascii: "{") else { throw try misfit(.object, in: json) }
        try enter(in: json)
        if cursor.peek(in: json) == UInt8(ascii: "}") { return leave() }
        try readMembers(of: object, after: plan.keys.count + object, into: &frame, in: json)
    }

    /// Reads an object from the key here to its closing brace.
    /// - Parameter previous: the key read before, which keeps the prediction; at first the object's own place.
    mutating func readMembers(
        of object: Int, after previous: Int, into frame: inout Frame, in json: Span<UInt8>
    ) throws(ReadingFault) {
        var predictor = previous
        while true {
            let end = readPredicted(of: object, after: &predictor, into: &frame, in: json)
            if end == .beforeKey {
                if let key = try readKey(of: object, after: predictor, in: json) {
                    try readValue(of: key, into: &frame, in: json)
                    predictor = key
                } else {
                    try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
                }
            }
            guard try hasMore(before: "}", in: json) else { return leave() }
        }
    }

    /// Steps over a key and its colon.
    /// - Returns: nil when no field has such a key.
    private mutating func readKey(
        of object: Int, after predictor: Int, in json: Span<UInt8>
    ) throws(ReadingFault) -> Int? {
        let predicted = Int(following[predictor])
        if predicted >= 0, matches(plan.keys[predicted], in: json) {
            cursor.offset &+= plan.keys[predicted].length
            try cursor.colon(in: json)
            return predicted
        }
        guard cursor.peek(in: json) == UInt8(ascii: "\"") else { throw cursor.unexpected(in: json) }
        let start = cursor.offset + 1
        let hasEscapes = try cursor.skipString(in: json)
        let inside = start..<cursor.offset - 1
        let key: Int?
        if hasEscapes {
            let text = try JSONText.unescaped(inside, in: json)
            key = plan.objects[object].names.value(of: text.indices, in: text.span)
        } else {
            key = plan.objects[object].names.value(of: inside, in: json)
        }
        if let key { following[predictor] = Int32(truncatingIfNeeded: key) }
        try cursor.colon(in: json)
        return key
    }

    private func matches(_ key: KeyPlan, in json: Span<UInt8>) -> Bool {
        var at = cursor.offset
        let last = key.words.upperBound &- 1
        for index in key.words.lowerBound..<last {
            guard json.word(at: at) == plan.keyWords[index] else { return false }
            at &+= 8
        }
        return (json.word(at: at) ^ plan.keyWords[last]) & key.lastMask == 0
    }

    /// Reads the value here into everything that its key fills, which is mostly one field.
    private mutating func readValue(
        of key: Int, into frame: inout Frame, in json: Span<UInt8>
    ) throws(ReadingFault) {
        let targets = plan.keys[key].targets
        let start = cursor.offset
        for index in targets {
            cursor.offset = start
            switch plan.targets[index] {
            case .field(let field): try readField(field, of: &frame, in: json)
            case .object(let object):
                replaceFields(plan.objects[object].fields, of: &frame)
                if cursor.peek(in: json) == UInt8(ascii: "n") {
                    try cursor.literal(.null, in: json)
                } else {
                    try readObject(object, of: &frame, in: json)
                }
            }
        }
    }

    private mutating func readField(
        _ index: Int, of frame: inout Frame, in json: Span<UInt8>
    ) throws(ReadingFault) {
        let field = plan.fields[index]
        if isSet(field.slot, in: frame) { replace(field, of: &frame) }
        if cursor.peek(in: json) == UInt8(ascii: "n") { return try cursor.literal(.null, in: json) }
        for peer in field.peers where isSet(plan.peers[peer], in: frame) {
            let at = cursor.offset
            try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
            throw ReadingFault(.twoOfOneof(name: plan.oneofNames[index]), at: at)
        }
        set(field.slot, in: &frame)
        if field.tap >= 0 { following.note(out.count, tap: Int(field.tap)) }
        switch field.shape {
        case .implicit: try readImplicit(field, index, in: json)
        case .explicit: try readElement(field, index, in: json)
        case .repeated: try readList(field, index, in: json)
        case .packed: try readPacked(field, index, in: json)
        case .map: try readMap(field, index, in: json)
        }
    }
}

/// Steps over brackets and commas.
extension RecordReader {
    /// Steps into the container here.
    mutating func enter(in json: Span<UInt8>) throws(ReadingFault) {
        guard depth < options.maximumDepth else {
            throw ReadingFault(.tooDeep(limit: options.maximumDepth), at: cursor.offset)
        }
        depth &+= 1
        cursor.offset &+= 1
        cursor.skipSpace(in: json)
    }

    /// Steps over the closing bracket here.
    mutating func leave() {
        depth &-= 1
        cursor.offset &+= 1
    }

    /// Behind a value: steps over a comma; false, without a step, at the closing bracket.
    mutating func hasMore(before end: Unicode.Scalar, in json: Span<UInt8>) throws(ReadingFault) -> Bool {
        cursor.skipSpace(in: json)
        let byte = cursor.peek(in: json)
        if byte == UInt8(ascii: ",") {
            cursor.offset &+= 1
            cursor.skipSpace(in: json)
            return true
        }
        guard byte == UInt8(truncatingIfNeeded: end.value) else { throw cursor.unexpected(in: json) }
        return false
    }

    /// The fault of the value here, which is not of the type its field takes: that it is no JSON at all goes first.
    mutating func misfit(
        _ expected: Mismatch.Expected, in json: Span<UInt8>
    ) throws(ReadingFault) -> ReadingFault {
        let at = cursor.offset
        try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
        return ReadingFault(.wrongType(expected: expected), at: at)
    }
}
