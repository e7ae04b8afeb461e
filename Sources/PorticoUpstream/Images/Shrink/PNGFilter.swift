/// The five filters of PNG (W3C, third edition, section 9): a byte is written as its difference to what its neighbours
/// suggest. Neighbours outside the picture are 0.
enum PNGFilter: UInt8, CaseIterable {
    case none, left, above, average, paeth

    /// What `left`, `above` and `corner` (above the left one) suggest.
    func prediction(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        switch self {
        case .none: 0
        case .left: left
        case .above: above
        case .average: UInt8((UInt16(left) + UInt16(above)) / 2)
        case .paeth: Self.paeth(Int16(left), Int16(above), Int16(corner))
        }
    }

    /// The neighbour nearest to `left + above - corner` (section 9.4).
    private static func paeth(_ left: Int16, _ above: Int16, _ corner: Int16) -> UInt8 {
        let distances = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return UInt8(left) }
        return UInt8(distances.1 <= distances.2 ? above : corner)
    }
}

/// The rows of a picture that is not interlaced, before filtering: its pixels, as bytes.
struct PNGRows: Equatable {
    let rowBytes: Int
    /// Of one pixel, at least 1: how far the left neighbour is.
    let pixelBytes: Int
    private(set) var bytes: [UInt8]

    /// Undoes the filters of `filtered`, in which each row begins with its filter's number; nil: one that does not exist.
    ///
    /// - Parameter filtered: whole rows of `1 + rowBytes`.
    init?(filtered: [UInt8], rowBytes: Int, pixelBytes: Int) {
        self.rowBytes = rowBytes
        self.pixelBytes = pixelBytes
        bytes = []
        bytes.reserveCapacity(filtered.count)
        for start in stride(from: 0, to: filtered.count, by: 1 + rowBytes) {
            guard let filter = PNGFilter(rawValue: filtered[start]) else { return nil }
            let row = bytes.count
            for column in 0..<rowBytes {
                bytes.append(filtered[start + 1 + column] &+ prediction(filter, row, column))
            }
        }
    }

    /// All rows by one filter.
    func filtered(by filter: PNGFilter) -> [UInt8] { filtered { _ in filter } }

    /// Each row by the filter that leaves the smallest differences (section 12.7), counted as signed bytes.
    func filteredByDifferences() -> [UInt8] {
        filtered { row in
            PNGFilter.allCases.min { differences($0, row) < differences($1, row) } ?? .none
        }
    }

    private func filtered(_ choice: (_ row: Int) -> PNGFilter) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / max(1, rowBytes))
        for row in stride(from: 0, to: bytes.count, by: rowBytes) {
            let filter = choice(row)
            result.append(filter.rawValue)
            for column in 0..<rowBytes {
                result.append(bytes[row + column] &- prediction(filter, row, column))
            }
        }
        return result
    }

    private func differences(_ filter: PNGFilter, _ row: Int) -> Int {
        (0..<rowBytes).reduce(0) { sum, column in
            let difference = Int8(bitPattern: bytes[row + column] &- prediction(filter, row, column))
            return sum + Int(difference.magnitude)
        }
    }

    private func prediction(_ filter: PNGFilter, _ row: Int, _ column: Int) -> UInt8 {
        let (hasLeft, hasAbove) = (column >= pixelBytes, row > 0)
        let place = row + column
        return filter.prediction(
            hasLeft ? bytes[place - pixelBytes] : 0, hasAbove ? bytes[place - rowBytes] : 0,
            hasLeft && hasAbove ? bytes[place - rowBytes - pixelBytes] : 0)
    }
}
