/// Finds the name that was probably meant: `Persn` is one letter away from `Person`.
enum Spelling {
    /// Longer names are not compared: the cost grows with the square of the length.
    private static let longestName = 100

    /// The candidate with the smallest distance, at most a third of the name's length (one for short names, none for
    /// those of one or two letters); the first in alphabetical order among equals.
    static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().utf8)
        let farthest = wanted.count < 3 ? 0 : max(1, wanted.count / 3)
        guard wanted.count <= longestName else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate != name {
            let limit = min(farthest, best?.distance ?? .max)
            let letters = Array(candidate.lowercased().utf8)
            guard letters.count <= longestName, abs(letters.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, letters)
            guard distance <= limit else { continue }
            if let known = best, (known.distance, known.name) <= (distance, candidate) { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// How many letters must be put in, left out, replaced or swapped with their neighbour (optimal string alignment).
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
