// Worked example, an object with the keys 0 `name`, 1 `height` and 2 `mass`; behind the keys stands what an object begins
// with, so 3 is the place of this one:
//
//     place       0   1   2   3
//     at first    1   2  -1   0       the schema's order
//     later       2   2   1   0       this upstream writes `name`, `mass`, `height`
//
// Before the keys stand the notes of the record being read (``TapPlan``): if `mass` is tapped, and was written at 40, then 40
// stands in place -1.

/// Which key is expected behind each: the plan's guess, corrected by what the input does; and where tapped fields were
/// written, in one piece with these, so that the lane has one table to change. Owns its memory, so that the fast lane does
/// that without an array's checks: with them Star Wars was decoded at 2.1 GB/s in place of 2.2.
@safe struct Predictions: ~Copyable {
    let start: UnsafeMutablePointer<Int32>
    private let count: Int
    /// How many fields are tapped.
    let taps: Int

    init(_ guess: [Int32], taps: Int) {
        count = guess.count
        self.taps = taps
        unsafe start = .allocate(capacity: max(count + taps, 1)) + taps
        for (index, key) in guess.enumerated() { unsafe (start + index).initialize(to: key) }
        forgetTaps()
    }

    deinit { unsafe (start - taps).deallocate() }

    subscript(_ predictor: Int) -> Int32 {
        get {
            precondition(predictor >= 0 && predictor < count, "a bug in the decoder, never bad input")
            return unsafe start[predictor]
        }
        set {
            precondition(predictor >= 0 && predictor < count, "a bug in the decoder, never bad input")
            unsafe start[predictor] = newValue
        }
    }

    /// What was written is gone.
    mutating func forgetTaps() {
        for tap in 0..<taps { unsafe (start - 1 - tap).initialize(to: -1) }
    }

    /// Where the field was written in the record being read; negative: it was not.
    func tap(_ tap: Int) -> Int32 {
        precondition(tap >= 0 && tap < taps, "a bug in the decoder, never bad input")
        return unsafe start[-1 - tap]
    }

    mutating func note(_ offset: Int, tap: Int) {
        precondition(tap >= 0 && tap < taps, "a bug in the decoder, never bad input")
        unsafe start[-1 - tap] = Int32(truncatingIfNeeded: offset)
    }
}
