import PorticoSchema

/// A comparison of texts as bytes; `contains` alone disregards case.
struct TextTest: Equatable {
    let comparison: ViewBinding.Filter.Comparison
    /// Folded to lower case for `contains`.
    private let operand: [UInt8]

    init(_ comparison: ViewBinding.Filter.Comparison, _ operand: [UInt8]) {
        self.comparison = comparison
        switch comparison {
        case .contains:
            self.operand = TextTest.lowercased(operand)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .startsWith:
            self.operand = operand
        }
    }

    func holds(_ text: ByteRange, in bytes: Span<UInt8>) -> Bool {
        let range = text.orEmpty.range
        switch comparison {
        case .equal: return order(of: range, in: bytes) == 0
        case .notEqual: return order(of: range, in: bytes) != 0
        case .less: return !text.isMissing && order(of: range, in: bytes) < 0
        case .lessOrEqual: return !text.isMissing && order(of: range, in: bytes) <= 0
        case .greater: return !text.isMissing && order(of: range, in: bytes) > 0
        case .greaterOrEqual: return !text.isMissing && order(of: range, in: bytes) >= 0
        case .startsWith: return isPrefix(of: range, in: bytes)
        case .contains: return isContained(in: range, of: bytes)
        }
    }

    /// Of the text against the operand, as ``Swift/Span/compare(_:_:)``.
    private func order(of range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        for index in 0..<min(range.count, operand.count) {
            let (one, other) = (bytes[range.lowerBound + index], operand[index])
            if one != other { return one < other ? -1 : 1 }
        }
        return range.count - operand.count
    }

    private func isPrefix(of range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard range.count >= operand.count else { return false }
        return operand.indices.allSatisfy { bytes[range.lowerBound + $0] == operand[$0] }
    }

    private func isContained(in range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        if range.contains(where: { bytes[$0] >= 0x80 }) {
            let folded = TextTest.lowercased(range.map { bytes[$0] })
            return isFound(count: folded.count) { folded[$0] }
        }
        return isFound(count: range.count) { TextTest.lowercasedASCII(bytes[range.lowerBound + $0]) }
    }

    /// Whether the operand stands anywhere among `count` bytes, which are already folded.
    private func isFound(count: Int, byte: (Int) -> UInt8) -> Bool {
        guard count >= operand.count else { return false }
        return (0...count - operand.count).contains { start in
            operand.indices.allSatisfy { byte(start + $0) == operand[$0] }
        }
    }

    /// Unicode's lower case, scalar by scalar; bytes that are no UTF-8 become U+FFFD, which matches itself
    /// only.
    private static func lowercased(_ text: [UInt8]) -> [UInt8] {
        Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
    }

    private static func lowercasedASCII(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
