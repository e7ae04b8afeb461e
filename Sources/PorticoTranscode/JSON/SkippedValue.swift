// Stepping over a value that no field wants, checking every byte of it. Nesting is kept in a stack of bits, not in the
// machine's stack, so that `[[[[…` costs a bit a level. Worked example, `[{"a":[]}]`:
//
//     [        push array             stack  0          (0 array, 1 object)
//      {       push object            stack  01
//       "a":[  key, then push array   stack  010
//           ]  pop                    stack  01
//            } pop                    stack  0
//             ] pop                   stack  empty: done

/// The kinds of the containers around a place, innermost last.
struct Nesting {
    private var bits: UInt64 = 0
    /// Full words below ``bits``; empty, and so without allocation, up to depth 64.
    private var fullWords: [UInt64] = []
    private(set) var depth = 0

    var isObject: Bool { bits & 1 == 1 }

    mutating func push(isObject: Bool) {
        if depth > 0, depth % 64 == 0 { fullWords.append(bits) }
        bits = bits << 1 | (isObject ? 1 : 0)
        depth += 1
    }

    mutating func pop() {
        depth -= 1
        if depth > 0, depth % 64 == 0, let word = fullWords.popLast() { bits = word } else { bits >>= 1 }
    }
}

extension JSONCursor {
    /// Steps over the value here.
    /// - Parameters:
    ///   - depth: containers already open around it.
    ///   - maximumDepth: most containers open at once.
    mutating func skipValue(depth: Int, maximumDepth: Int, in json: Span<UInt8>) throws(ReadingFault) {
        var nesting = Nesting()
        repeat {
            // Here stands a value, or the end of a container that was just opened.
            switch peek(in: json) {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth + nesting.depth < maximumDepth else {
                    throw ReadingFault(.tooDeep(limit: maximumDepth), at: offset)
                }
                nesting.push(isObject: json[offset] == UInt8(ascii: "{"))
                offset &+= 1
                skipSpace(in: json)
                if try !endsEmpty(nesting, in: json) { continue }
                nesting.pop()
            default: try skipScalar(in: json)
            }
            try closeContainers(&nesting, in: json)
        } while nesting.depth > 0
    }

    /// Steps over the scalar here.
    mutating func skipScalar(in json: Span<UInt8>) throws(ReadingFault) {
        switch peek(in: json) {
        case UInt8(ascii: "\""): try skipString(in: json)
        case UInt8(ascii: "t"): try literal(.true, in: json)
        case UInt8(ascii: "f"): try literal(.false, in: json)
        case UInt8(ascii: "n"): try literal(.null, in: json)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(in: json)
        default: throw unexpected(in: json)
        }
    }

    /// Just inside a container: true when it closes at once, else the cursor moves to its first value.
    private mutating func endsEmpty(_ nesting: Nesting, in json: Span<UInt8>) throws(ReadingFault) -> Bool {
        let end = nesting.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if peek(in: json) == end {
            offset &+= 1
            return true
        }
        if nesting.isObject { try skipKey(in: json) }
        return false
    }

    /// Behind a value: closes every container that ends here and moves to the next value, if one follows.
    private mutating func closeContainers(_ nesting: inout Nesting, in json: Span<UInt8>) throws(ReadingFault)
    {
        while nesting.depth > 0 {
            skipSpace(in: json)
            let byte = peek(in: json)
            if byte == UInt8(ascii: ",") {
                offset &+= 1
                skipSpace(in: json)
                if nesting.isObject { try skipKey(in: json) }
                return
            }
            guard byte == (nesting.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw unexpected(in: json)
            }
            offset &+= 1
            nesting.pop()
        }
    }

    /// Steps over `"key" :` and the white space around the colon.
    private mutating func skipKey(in json: Span<UInt8>) throws(ReadingFault) {
        guard peek(in: json) == UInt8(ascii: "\"") else { throw unexpected(in: json) }
        try skipString(in: json)
        try colon(in: json)
    }

    /// Steps over a colon and the white space around it.
    mutating func colon(in json: Span<UInt8>) throws(ReadingFault) {
        skipSpace(in: json)
        try expect(":", in: json)
        skipSpace(in: json)
    }
}
