/// Which key is expected behind each: the plan's guess, corrected by what the input does. Owns its memory, so that the fast
/// lane changes it without an array's checks.
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
