// From a number's text to the bits that protobuf stores for a type, range checked: `300` as `int32` is 300, as `sint32`
// 600 (zigzag), as `float` 0x43960000, and `3000000000` is out of range for `int32`.
import PorticoWire

enum NumberBits {
    /// - Parameters:
    ///   - range: text that ``JSONCursor/number(in:)`` has accepted.
    ///   - offset: of the value in the JSON, for the fault.
    static func of(
        _ range: Range<Int>, in text: Span<UInt8>, as kind: ValueKind, at offset: Int
    ) throws(ReadingFault) -> UInt64 {
        switch kind {
        case .double:
            guard let value = FloatingNumber.double(range, in: text) else { break }
            return value.bitPattern
        case .float:
            guard let value = FloatingNumber.float(range, in: text) else { break }
            return UInt64(value.bitPattern)
        default:
            let number: WholeNumber
            do throws(WholeNumber.Problem) {
                number = try WholeNumber(DecimalNumber(range, in: text))
            } catch {
                switch error {
                case .notWhole: throw ReadingFault(.wrongType(expected: .integer), at: offset)
                case .tooLarge: throw ReadingFault(.outOfRange(expected(kind)), at: offset)
                }
            }
            guard let bits = bits(of: number, as: kind) else { break }
            return bits
        }
        throw ReadingFault(.outOfRange(expected(kind)), at: offset)
    }

    /// A number written as text, or the name of a number that JSON cannot write.
    static func ofText(
        _ range: Range<Int>, in text: Span<UInt8>, as kind: ValueKind, at offset: Int
    ) throws(ReadingFault) -> UInt64 {
        if let bits = named(range, in: text, as: kind) { return bits }
        var reader = JSONCursor(range.lowerBound)
        let number: Range<Int>?
        do throws(ReadingFault) { number = try reader.number(in: text) } catch { number = nil }
        guard number == range else { throw ReadingFault(.wrongType(expected: expected(kind)), at: offset) }
        return try of(range, in: text, as: kind, at: offset)
    }

    /// Nil: out of range.
    static func bits(of number: WholeNumber, as kind: ValueKind) -> UInt64? {
        switch kind {
        case .int32, .enumeration: number.asInteger(Int32.self).map { UInt64(bitPattern: Int64($0)) }
        case .int64, .sfixed64: number.asInteger(Int64.self).map { UInt64(bitPattern: $0) }
        case .uint32, .fixed32: number.asInteger(UInt32.self).map { UInt64($0) }
        case .uint64, .fixed64: number.asInteger(UInt64.self)
        case .sint32: number.asInteger(Int32.self).map { ZigZag.encode(Int64($0)) }
        case .sint64: number.asInteger(Int64.self).map { ZigZag.encode($0) }
        case .sfixed32: number.asInteger(Int32.self).map { UInt64(UInt32(bitPattern: $0)) }
        case .double, .float, .bool, .string, .bytes, .message: nil
        }
    }

    /// `NaN`, `Infinity` and `-Infinity`; nil for other text and types.
    private static func named(_ range: Range<Int>, in text: Span<UInt8>, as kind: ValueKind) -> UInt64? {
        guard kind == .double || kind == .float, range.count <= 9 else { return nil }
        let value: Double
        switch text.string(range) {
        case "NaN": value = .nan
        case "Infinity": value = .infinity
        case "-Infinity": value = -.infinity
        default: return nil
        }
        return kind == .double ? value.bitPattern : UInt64(Float(value).bitPattern)
    }

    static func expected(_ kind: ValueKind) -> Mismatch.Expected {
        switch kind {
        case .double: .double
        case .float: .float
        case .int32, .sint32, .sfixed32: .int32
        case .int64, .sint64, .sfixed64: .int64
        case .uint32, .fixed32: .uint32
        case .uint64, .fixed64: .uint64
        case .bool: .bool
        case .string: .string
        case .bytes: .bytes
        case .message: .object
        case .enumeration: .enumeration
        }
    }
}
