/// How a number is kept in a column: as its *rank*, an unsigned integer that orders as the number does, so
/// that one comparison, one hash and one sort serve every numeric type.
///
/// Signed -1, 0, 1 have the ranks 7fff…, 8000…, 8001… (the sign bit turned over). A double's bits order as a
/// signed magnitude, so a negative one has all its bits turned over, others the sign bit: -0.5 is 401f…, 0 is
/// 8000…, 0.5 is bfe0…. Every NaN is one rank above infinity; -0 is 0.
package enum NumberKind: Sendable {
    /// The signed integers and enums.
    case signed
    /// The unsigned integers and `bool` (0 and 1).
    case unsigned
    /// `double` and `float`.
    case real

    private static let signBit: UInt64 = 1 << 63

    package static func rank(signed value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ signBit }

    package static func rank(real value: Double) -> UInt64 {
        let bits = (value.isNaN ? Double.nan : value == 0 ? 0 : value).bitPattern
        return bits & signBit == 0 ? bits | signBit : ~bits
    }

    package static func signed(_ rank: UInt64) -> Int64 { Int64(bitPattern: rank ^ signBit) }

    package static func real(_ rank: UInt64) -> Double {
        Double(bitPattern: rank & signBit == 0 ? ~rank : rank ^ signBit)
    }

    package var zeroRank: UInt64 {
        switch self {
        case .signed, .real: Self.signBit
        case .unsigned: 0
        }
    }

    /// The ranks that order among each other: all but NaN's.
    var orderedRanks: ClosedRange<UInt64> {
        switch self {
        case .signed, .unsigned: 0...UInt64.max
        case .real: Self.rank(real: -.infinity)...Self.rank(real: .infinity)
        }
    }
}

/// A number of any type, as an operand of a comparison.
enum Number: Equatable {
    case signed(Int64)
    case unsigned(UInt64)
    case real(Double)
}

/// Where a number stands among the values that a column's kind can hold; exact, whatever the two types are.
enum NumberPosition: Equatable {
    case below
    /// On the value with this rank.
    case at(UInt64)
    /// Above the value with this rank and below the next one.
    case after(UInt64)
    case above
    /// NaN stands nowhere.
    case nowhere

    init(_ number: Number, among kind: NumberKind) {
        switch (kind, number) {
        case (.signed, .signed(let value)):
            self = .at(NumberKind.rank(signed: value))
        case (.signed, .unsigned(let value)):
            self = Int64(exactly: value).map { .at(NumberKind.rank(signed: $0)) } ?? .above
        case (.unsigned, .unsigned(let value)):
            self = .at(value)
        case (.unsigned, .signed(let value)):
            self = UInt64(exactly: value).map { .at($0) } ?? .below
        case (.signed, .real(let value)):
            self.init(value, minimum: Int64.min) { NumberKind.rank(signed: $0) }
        case (.unsigned, .real(let value)):
            self.init(value, minimum: UInt64.min) { $0 }
        case (.real, .real(let value)):
            self = value.isNaN ? .nowhere : .at(NumberKind.rank(real: value))
        case (.real, .signed(let value)):
            self.init(integer: value)
        case (.real, .unsigned(let value)):
            self.init(integer: value)
        }
    }

    private init<Integer: FixedWidthInteger>(
        _ value: Double, minimum: Integer, rank: (Integer) -> UInt64
    ) {
        guard !value.isNaN else {
            self = .nowhere
            return
        }
        guard value >= Double(minimum) else {
            self = .below
            return
        }
        guard value < Double(Integer.max) else {  // which is rounded up to 2^63 or 2^64
            self = .above
            return
        }
        let towardsZero = Integer(value)
        if Double(towardsZero) == value {
            self = .at(rank(towardsZero))
        } else {
            self = .after(rank(value < 0 ? towardsZero - 1 : towardsZero))
        }
    }

    private init<Integer: FixedWidthInteger>(integer: Integer) {
        let nearest = Double(integer)
        guard let back = Integer(exactly: nearest) else {  // rounded up to 2^63 or 2^64
            self = .after(NumberKind.rank(real: nearest.nextDown))
            return
        }
        if back == integer {
            self = .at(NumberKind.rank(real: nearest))
        } else {
            self = .after(NumberKind.rank(real: back < integer ? nearest : nearest.nextDown))
        }
    }
}
