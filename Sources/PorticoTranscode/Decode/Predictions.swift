// Worked example, an object with the keys 0 `name`, 1 `height` and 2 `mass`; behind the keys stands what an object begins
// with, so 3 is the place of this one:
//
//     place       0   1   2   3
//     at first    1   2  -1   0       the schema's order
//     later       2   2   1   0       this upstream writes `name`, `mass`, `height`

/// Which key is expected behind each: the plan's guess, corrected by what the input does. Owns its memory, so that the fast
/// lane changes it without an array's checks: with them Star Wars was decoded at 2.1 GB/s in place of 2.2.
@safe struct Predictions: ~Copyable {
    let start: UnsafeMutablePointer<Int32>
    private let count: Int

    init(_ guess: [Int32]) {
        count = guess.count
        unsafe start = .allocate(capacity: max(count, 1))
        for (index, key) in guess.enumerated() { unsafe (start + index).initialize(to: key) }
    }

    deinit { unsafe start.deallocate() }

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
}
