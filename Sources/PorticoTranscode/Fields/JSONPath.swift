// Finding one value in JSON text, and naming the place of an offset, without building a tree. Worked example:
//
//     {"errors":{"message":"No such page"}}
//     find(["errors", "message"])           → No such page
//     path(to: 21)                          → errors.message
//     {"people":[{},{"height":"tall"}]}     path(to: 24) → people[1].height
package enum JSONPath {
    /// The text of the scalar at `path`: a string's text, a number's own digits, `true` or `false`.
    /// - Returns: nil when there is no such place, when it holds null, an object or an array, or when the input is not
    ///   JSON up to there. Of a key that comes twice the last counts.
    package static func find(_ path: [String], in json: Span<UInt8>) -> String? {
        var cursor = JSONCursor()
        do throws(ReadingFault) {
            try cursor.start(in: json)
            for key in path where try !descend(to: key, &cursor, in: json) { return nil }
            return try scalarText(&cursor, in: json)
        } catch {
            return nil
        }
    }

    /// Moves to the value of the last key of that name in the object here.
    private static func descend(
        to name: String, _ cursor: inout JSONCursor, in json: Span<UInt8>
    ) throws(ReadingFault) -> Bool {
        guard cursor.peek(in: json) == UInt8(ascii: "{") else { return false }
        var found: Int?
        try cursor.eachMember(in: json) { key, offset in if key == name { found = offset } }
        guard let found else { return false }
        cursor.offset = found
        return true
    }

    private static func scalarText(
        _ cursor: inout JSONCursor, in json: Span<UInt8>
    ) throws(ReadingFault) -> String? {
        let start = cursor.offset
        switch cursor.peek(in: json) {
        case UInt8(ascii: "\""): return try cursor.string(in: json)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return nil
        default:
            try cursor.skipScalar(in: json)
            return json.string(start..<cursor.offset)
        }
    }

    /// Where in the JSON an offset lies, in keys and indices: `people[3].height`; empty for the root. For errors: it
    /// reads from the start. The input must be JSON up to `offset`.
    static func path(to offset: Int, in json: Span<UInt8>) -> String {
        var cursor = JSONCursor()
        var path = ""
        cursor.skipSpace(in: json)
        // Each turn finds the member or element that holds the offset and goes into it.
        while cursor.offset < offset, let step = step(towards: offset, &cursor, in: json) {
            switch step {
            case .key(let name): path += path.isEmpty ? name : ".\(name)"
            case .index(let index): path += "[\(index)]"
            }
        }
        return path
    }

    private enum Step {
        case key(String)
        case index(Int)
    }

    /// Moves to the value, inside the container here, that `offset` lies in; nil: it lies in none.
    private static func step(
        towards offset: Int, _ cursor: inout JSONCursor, in json: Span<UInt8>
    ) -> Step? {
        let isObject = cursor.peek(in: json) == UInt8(ascii: "{")
        guard isObject || cursor.peek(in: json) == UInt8(ascii: "[") else { return nil }
        cursor.offset += 1
        cursor.skipSpace(in: json)
        var index = 0
        while true {
            let memberStart = cursor.offset
            var name = ""
            if isObject {
                guard let key = try? cursor.key(in: json) else { return nil }
                name = key
            }
            // An offset before the value is at its key, which is a fault of a map's key.
            let end = cursor.offset < offset ? cursor.endOfValue(in: json) : cursor.offset + 1
            if memberStart <= offset, offset < end { return isObject ? .key(name) : .index(index) }
            cursor.offset = end
            cursor.skipSpace(in: json)
            guard cursor.peek(in: json) == UInt8(ascii: ",") else { return nil }
            cursor.offset += 1
            cursor.skipSpace(in: json)
            index += 1
        }
    }
}

extension JSONCursor {
    /// Reads a key and steps over its colon.
    mutating func key(in json: Span<UInt8>) throws(ReadingFault) -> String {
        guard peek(in: json) == UInt8(ascii: "\"") else { throw unexpected(in: json) }
        let name = try string(in: json)
        try colon(in: json)
        return name
    }

    /// Where the value here ends; past the end of the input when it is not JSON, so that it holds every fault.
    fileprivate func endOfValue(in json: Span<UInt8>) -> Int {
        var end = self
        do throws(ReadingFault) {
            try end.skipValue(depth: 0, maximumDepth: .max, in: json)
            return end.offset
        } catch {
            return json.count + 1
        }
    }

    /// Steps over the object here, telling each key and where its value begins.
    fileprivate mutating func eachMember(
        in json: Span<UInt8>, _ body: (String, Int) -> Void
    ) throws(ReadingFault) {
        offset += 1
        skipSpace(in: json)
        if peek(in: json) == UInt8(ascii: "}") { return }
        while true {
            let name = try key(in: json)
            body(name, offset)
            try skipValue(depth: 0, maximumDepth: .max, in: json)
            skipSpace(in: json)
            if peek(in: json) == UInt8(ascii: "}") { return }
            try expect(",", in: json)
            skipSpace(in: json)
        }
    }
}
