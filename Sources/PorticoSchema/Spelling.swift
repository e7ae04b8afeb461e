/// Finds what was meant by a misspelt name.
package enum Spelling {
    /// The candidate with the fewest edits, if they are few for the length: letters put in, left out, changed or
    /// swapped with a neighbour, never all of them; case and the characters between words count for nothing. Else one
    /// that the name is the beginning of.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = folded(name)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let folded = folded(candidate)
            let limit = max(1, min(wanted.count, folded.count) / 3)
            guard abs(wanted.count - folded.count) <= limit else { continue }
            let distance = distance(wanted, folded)
            if distance <= limit, distance < wanted.count, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
            ?? candidates.first { wanted.count >= 3 && folded($0).starts(with: wanted) }
    }

    private static func folded(_ name: String) -> [Unicode.Scalar] {
        name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }.prefix(200).map { $0 }
    }

    /// Optimal string alignment, three rows at a time.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + 1, above[j + 1] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            (before, above) = (above, row)
        }
        return above[b.count]
    }
}
