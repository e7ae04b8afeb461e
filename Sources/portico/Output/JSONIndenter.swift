/// Lays compact, valid JSON out for people: `{"a":[1,2]}` becomes
/// ```
/// {
///   "a": [
///     1,
///     2
///   ]
/// }
/// ```
struct JSONIndenter {
    private var output: [UInt8] = []
    private var depth = 0

    /// - Parameter json: one valid JSON value without white space between its tokens.
    static func indented(_ json: [UInt8]) -> [UInt8] {
        var indenter = JSONIndenter()
        indenter.output.reserveCapacity(json.count * 2)
        indenter.layOut(json)
        return indenter.output
    }

    private mutating func layOut(_ json: [UInt8]) {
        var position = 0
        while position < json.count {
            let byte = json[position]
            switch byte {
            case UInt8(ascii: "\""):
                let end = Self.endOfString(json, from: position)
                output += json[position..<end]
                position = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                let closesAtOnce =
                    position + 1 < json.count
                    && (json[position + 1] == UInt8(ascii: "}") || json[position + 1] == UInt8(ascii: "]"))
                if closesAtOnce {
                    position += 1
                    output.append(json[position])
                } else {
                    depth += 1
                    breakLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine()
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                output += [byte, UInt8(ascii: " ")]
            default:
                output.append(byte)
            }
            position += 1
        }
    }

    private mutating func breakLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    /// The index after the closing quote of the string that opens at `start`.
    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, json.count)
    }
}
