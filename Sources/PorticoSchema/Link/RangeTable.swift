/// Number ranges, sorted, so that a file of a hundred thousand numbers and ranges is still checked at once.
struct RangeTable {
    private let ranges: [NumberRange]
    /// Ranges that begin inside an earlier one.
    private(set) var overlapping: [NumberRange] = []

    init(_ ranges: [NumberRange]) {
        var merged: [NumberRange] = []
        for range in ranges.sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) }) {
            if let last = merged.last, range.first <= last.last {
                overlapping.append(range)
                merged[merged.count - 1].last = max(last.last, range.last)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    func contains(_ number: Int) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].first <= number
    }
}
