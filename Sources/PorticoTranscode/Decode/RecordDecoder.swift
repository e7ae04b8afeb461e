package import PorticoSchema

// Worked example, `{"people":[{"name":"Yoda"},7]}` into `PeoplePage { repeated Person people = 4; }`:
//
//     lossy     22 06 0a 04 59 6f 64 61      one person; 7 is none, so one item was skipped
//     strict    an array element is no object: the decode fails at byte 27

/// What to do with list elements that do not fit the schema, and how deep JSON may nest.
package struct DecodeOptions: Sendable, Equatable {
    package enum Mode: Sendable {
        /// An element of a list of messages that does not fit is left out and counted.
        case lossy
        /// It fails the decode.
        case strict
    }
    package var mode: Mode
    /// Most objects and arrays open at once, the root included. Messages are read recursively to this depth.
    package var maximumDepth: Int

    package init(mode: Mode = .lossy, maximumDepth: Int = 100) {
        self.mode = mode
        self.maximumDepth = maximumDepth
    }
}

/// A record and what was lost on the way to it.
package struct DecodedMessage: Sendable, Equatable {
    /// The encoded message: fields in the order of the JSON, each singular field and map key once, defaults left out.
    package let bytes: [UInt8]
    /// List elements that did not fit the schema and were left out.
    package let skippedItems: Int
    /// Enum texts that the schema does not know, read as the zero value.
    package let unknownEnumValues: Int
    /// Nil: no field is tapped, a record had to be written otherwise than in one go, or the records are so small that
    /// their places would take up more than they.
    package let places: RecordPlaces?

    /// What a view is made of.
    package var page: RecordPage { RecordPage(bytes, places: places) }
}

/// Reads JSON into encoded records of one message type, by the proto3 JSON mapping and the schema's `path`, `json` and
/// `required` options. Compiled once, used by any thread.
///
/// It is more lenient than the mapping in three ways that upstreams need: numbers may come as strings everywhere and
/// strings as numbers, unknown enum text becomes the zero value and is counted, and of a key that comes twice the last
/// value counts.
package struct RecordDecoder: Sendable {
    private let plan: RecordPlan
    private let options: DecodeOptions

    /// - Parameter tapped: whose places are noted.
    package init(
        schema: Schema, message: MessageID, tapping tapped: TappedFields? = nil,
        options: DecodeOptions = DecodeOptions()
    ) {
        plan = PlanCompiler.compile(message, of: schema, tapping: tapped)
        self.options = options
    }

    /// - Parameters:
    ///   - json: one whole JSON text.
    ///   - root: keys that lead to the object which the message maps onto; everything around it is only checked.
    /// - Throws: ``TranscodeError/malformedJSON(_:offset:)`` whatever the mode, never a part of the answer;
    ///   ``TranscodeError/mismatch(_:path:offset:)`` when what does not fit is not, or not allowed to be, left out.
    package func decode(
        _ json: Span<UInt8>, root: [String] = []
    ) throws(TranscodeError) -> DecodedMessage {
        guard let capacity = plan.outputSize.estimate(json.count) else {
            // A record is mostly shorter than its JSON: keys, quotes and commas become tags and lengths.
            let buffer = RecordBuffer(capacity: json.count + FastLane.margin)
            var reader = RecordReader(plan: plan, options: options, out: buffer)
            try read(json, root, &reader)
            plan.outputSize.learn(reader.out.count, of: json.count)
            return reader.message(reader.out.bytes())
        }
        return try decode(json, root: root, capacity: capacity)
    }

    /// Writes the record where it is to stay.
    /// - Parameter capacity: bytes of room; when they are too few, or far too many, the record is copied.
    package func decode(
        _ json: Span<UInt8>, root: [String] = [], capacity: Int
    ) throws(TranscodeError) -> DecodedMessage {
        var fault: TranscodeError?
        var copy: DecodedMessage?
        var (skippedItems, unknownEnumValues) = (0, 0)
        var places: RecordPlaces?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            var reader = unsafe RecordReader(plan: plan, options: options, out: RecordBuffer(into: memory))
            do throws(TranscodeError) { try read(json, root, &reader) } catch { return fault = error }
            plan.outputSize.learn(reader.out.count, of: json.count)
            // What is kept for long should not keep much that is empty.
            if reader.out.isInPlace, reader.out.count >= capacity - capacity / 8 {
                count = reader.out.count
                (skippedItems, unknownEnumValues) = (reader.skippedItems, reader.unknownEnumValues)
                places = reader.takePlaces()
            } else {
                copy = reader.message(reader.out.bytes())
            }
        }
        if let fault { throw fault }
        return copy
            ?? DecodedMessage(
                bytes: bytes, skippedItems: skippedItems, unknownEnumValues: unknownEnumValues, places: places
            )
    }

    private func read(
        _ json: Span<UInt8>, _ root: [String], _ reader: inout RecordReader
    ) throws(TranscodeError) {
        do throws(ReadingFault) {
            try reader.cursor.start(in: json)
            guard reader.cursor.offset < json.count else { throw ReadingFault(.unexpectedEnd, at: 0) }
            guard try reader.readRoot(root[...], in: json) else {
                throw ReadingFault(.missing(field: ""), at: 0)
            }
            try reader.cursor.finish(in: json)
        } catch {
            throw Self.error(of: error, root: root, in: json)
        }
    }

    private static func error(
        of fault: ReadingFault, root: [String], in json: Span<UInt8>
    ) -> TranscodeError {
        switch fault.problem {
        case .syntax(.unexpectedEnd) where fault.offset == 0: .emptyBody
        case .syntax(let problem): .malformedJSON(problem, offset: fault.offset)
        case .mismatch(.missing(field: "")): .rootMissing(path: root.joined(separator: "."))
        case .mismatch(let mismatch):
            malformation(in: json)
                ?? .mismatch(mismatch, path: JSONPath.path(to: fault.offset, in: json), offset: fault.offset)
        }
    }

    /// What is wrong with the JSON as such: a body that breaks off says so, whatever else did not fit before.
    private static func malformation(in json: Span<UInt8>) -> TranscodeError? {
        var cursor = JSONCursor()
        do throws(ReadingFault) {
            try cursor.start(in: json)
            try cursor.skipValue(depth: 0, maximumDepth: .max, in: json)
            try cursor.finish(in: json)
            return nil
        } catch {
            guard case .syntax(let problem) = error.problem else { return nil }
            return .malformedJSON(problem, offset: error.offset)
        }
    }
}

extension RecordReader {
    /// What has been read.
    mutating func message(_ bytes: [UInt8]) -> DecodedMessage {
        DecodedMessage(
            bytes: bytes, skippedItems: skippedItems, unknownEnumValues: unknownEnumValues,
            places: takePlaces())
    }

    /// Reads the message below the keys of `path`, checking everything on the way.
    /// - Returns: false when there is none, or null.
    mutating func readRoot(_ path: ArraySlice<String>, in json: Span<UInt8>) throws(ReadingFault) -> Bool {
        guard let key = path.first else {
            if !path.isEmpty || depth == 0 || cursor.peek(in: json) != UInt8(ascii: "n") {
                try readMessage(0, in: json)
                return true
            }
            try cursor.literal(.null, in: json)
            return false
        }
        guard cursor.peek(in: json) == UInt8(ascii: "{") else {
            try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
            return false
        }
        try enter(in: json)
        var isFound = false
        if cursor.peek(in: json) != UInt8(ascii: "}") {
            repeat {
                guard cursor.peek(in: json) == UInt8(ascii: "\"") else { throw cursor.unexpected(in: json) }
                let name = try cursor.string(in: json)
                try cursor.colon(in: json)
                if name == key {
                    forgetRecord()
                    isFound = try readRoot(path.dropFirst(), in: json)
                } else {
                    try cursor.skipValue(depth: depth, maximumDepth: options.maximumDepth, in: json)
                }
            } while try hasMore(before: "}", in: json)
        }
        leave()
        return isFound
    }

    /// The root's key came again: its last value counts.
    private mutating func forgetRecord() {
        out.truncate(to: 0)
        (skippedItems, unknownEnumValues) = (0, 0)
        places.forget()
        following.forgetTaps()
    }
}
