// The value of a number's text, exactly. A number is first taken apart as a decimal: `-12.50e3` is
// significand 1250, exponent 1 (1250 × 10¹), negative. Then:
//
//     as an integer   exponent 1 → 1250 × 10 = 12500 → -12500
//     as a double     1250 < 2⁵³ and |1| ≤ 22, so 1250.0 × 10.0 rounds once → -12500.0
//     1.5 as integer  15 × 10⁻¹: 15 is no multiple of 10 → not whole

/// A number's text taken apart: value = ±``significand`` × 10^``exponent``, plus what did not fit if not ``isExact``.
struct DecimalNumber {
    private(set) var isNegative = false
    /// The leading digits, as many as fit 64 bits.
    private(set) var significand: UInt64 = 0
    private(set) var exponent = 0
    /// False when digits other than zero did not fit.
    private(set) var isExact = true

    /// - Parameter range: of text that ``JSONCursor/number(in:)`` has accepted.
    init(_ range: Range<Int>, in text: Span<UInt8>) {
        var isFraction = false
        var isFull = false
        var offset = range.lowerBound
        reading: while offset < range.upperBound {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                exponent += Self.writtenExponent(offset..<range.upperBound, in: text)
                break reading
            default:
                let digit = UInt64(byte - UInt8(ascii: "0"))
                isFull = isFull || !appendDigit(digit)
                if isFull {
                    isExact = isExact && digit == 0
                    if !isFraction { exponent += 1 }
                } else if isFraction {
                    exponent -= 1
                }
            }
        }
    }

    /// - Returns: false when the digit does not fit; the significand is then unchanged.
    private mutating func appendDigit(_ digit: UInt64) -> Bool {
        let (tens, overflowsTens) = significand.multipliedReportingOverflow(by: 10)
        let (sum, overflowsSum) = tens.addingReportingOverflow(digit)
        guard !overflowsTens, !overflowsSum else { return false }
        significand = sum
        return true
    }

    /// Clamped to ±10¹²: no text is long enough to bring such an exponent back.
    private static func writtenExponent(_ range: Range<Int>, in text: Span<UInt8>) -> Int {
        var value = 0
        var isNegative = false
        for index in range {
            switch text[index] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            case let digit: value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000_000_000)
            }
        }
        return isNegative ? -value : value
    }
}

/// A whole number of up to 64 bits and a sign.
struct WholeNumber: Equatable {
    let isNegative: Bool
    let magnitude: UInt64

    enum Problem: Error { case notWhole, tooLarge }

    /// `3`, `-3`, `3.0`, `30e-1` and `3e0` are whole; `3.5` is not.
    init(_ decimal: DecimalNumber) throws(Problem) {
        isNegative = decimal.isNegative
        var (magnitude, exponent) = (decimal.significand, decimal.exponent)
        guard decimal.isExact else { throw exponent > 0 ? .tooLarge : .notWhole }
        while magnitude != 0, exponent < 0 {
            guard magnitude % 10 == 0 else { throw .notWhole }
            magnitude /= 10
            exponent += 1
        }
        while magnitude != 0, exponent > 0 {
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            if overflows { throw .tooLarge }
            magnitude = product
            exponent -= 1
        }
        self.magnitude = magnitude
    }

    init(isNegative: Bool, magnitude: UInt64) {
        self.isNegative = isNegative
        self.magnitude = magnitude
    }

    /// Nil: out of range.
    func asInteger<T: FixedWidthInteger & SignedInteger>(_ type: T.Type) -> T? {
        if !isNegative { return T(exactly: magnitude) }
        if magnitude == T.min.magnitude { return T.min }
        return T(exactly: magnitude).map { 0 - $0 }
    }

    /// Nil: out of range. Minus zero is zero.
    func asInteger<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type) -> T? {
        isNegative && magnitude != 0 ? nil : T(exactly: magnitude)
    }
}

/// Floating-point values of number text, correctly rounded (to nearest, ties to even).
enum FloatingNumber {
    /// Exact powers of ten: 10²² is the largest that a double holds without rounding, 10¹⁰ for a float.
    private static let doublePowers: [Double] = (0...22).map { power in
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }
    private static let floatPowers: [Float] = (0...10).map { power in
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }

    /// Nil: too large for a double.
    static func double(_ range: Range<Int>, in text: Span<UInt8>) -> Double? {
        let decimal = DecimalNumber(range, in: text)
        // W. D. Clinger, "How to read floating point numbers accurately" (1990): both operands are exact, so the
        // one operation rounds once.
        if decimal.isExact, decimal.significand <= 1 << 53, abs(decimal.exponent) < doublePowers.count {
            let significand = Double(decimal.significand)
            let power = doublePowers[abs(decimal.exponent)]
            let value = decimal.exponent < 0 ? significand / power : significand * power
            return decimal.isNegative ? -value : value
        }
        guard let value = Double(text.string(range)), value.isFinite else { return nil }
        return value
    }

    /// Nil: too large for a float. Rounded from the text, not by way of a double, which would round twice.
    static func float(_ range: Range<Int>, in text: Span<UInt8>) -> Float? {
        let decimal = DecimalNumber(range, in: text)
        if decimal.isExact, decimal.significand <= 1 << 24, abs(decimal.exponent) < floatPowers.count {
            let significand = Float(decimal.significand)
            let power = floatPowers[abs(decimal.exponent)]
            let value = decimal.exponent < 0 ? significand / power : significand * power
            return decimal.isNegative ? -value : value
        }
        guard let value = Float(text.string(range)), value.isFinite else { return nil }
        return value
    }
}
