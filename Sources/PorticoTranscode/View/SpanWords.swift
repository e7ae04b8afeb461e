extension Span<UInt8> {
    /// The `count` (at most 8) bytes from `offset` on as a number, first byte lowest.
    @inline(__always)
    func word(at offset: Int, count: Int) -> UInt64 {
        word(at: offset) & (UInt64.max &>> UInt64(64 - count * 8) & (count == 0 ? 0 : .max))
    }

    /// Below zero: the left bytes come first, as unsigned numbers; a prefix comes before what it begins.
    func compare(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        for index in 0..<Swift.min(left.count, right.count) {
            let (one, other) = (self[left.lowerBound + index], self[right.lowerBound + index])
            if one != other { return one < other ? -1 : 1 }
        }
        return left.count - right.count
    }

    /// Whether two ranges of equal length hold equal bytes.
    func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        if left.lowerBound == right.lowerBound { return true }
        for index in 0..<left.count where self[left.lowerBound + index] != self[right.lowerBound + index] {
            return false
        }
        return true
    }
}
