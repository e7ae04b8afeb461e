// Numbers and enums of the fast lane, from text to bits in one go. Worked example, `-12.5` as a `float`:
//
//     sign, digits 12, point, digit 5     125 with one digit behind the point
//     125.0 / 10.0 = 12.5, exact operands, so rounded once → c1480000
//
// More than fifteen digits, exponents, leading zeros, numbers as strings and what is out of range go to the careful
// reader.
extension FastLane {
    /// Of ten, exact in a double; 10¹⁵ is the most that fifteen digits need.
    static func power(_ exponent: Int) -> Double {
        switch exponent {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 1e4
        case 5: 1e5
        case 6: 1e6
        case 7: 1e7
        case 8: 1e8
        case 9: 1e9
        case 10: 1e10
        case 11: 1e11
        case 12: 1e12
        case 13: 1e13
        case 14: 1e14
        default: 1e15
        }
    }

    /// The bits of the number or bool here. ``hasReach(in:)`` has been asked.
    @inline(__always)
    mutating func readNumber(_ kind: ValueKind, in json: Span<UInt8>) -> UInt64? {
        if kind == .bool { return readBool(in: json) }
        let isNegative = byte(in: json) == UInt8(ascii: "-")
        if isNegative { at &+= 1 }
        let start = at
        var digits: UInt64 = 0
        readDigits(into: &digits, in: json)
        let whole = at &- start
        // A first digit zero is the only one.
        let first = unsafe json[unchecked: start]
        guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return nil }
        var fraction = 0
        if byte(in: json) == UInt8(ascii: ".") {
            at &+= 1
            let point = at
            readDigits(into: &digits, in: json)
            fraction = at &- point
            guard fraction > 0 else { return nil }
        }
        guard whole &+ fraction <= 15, byte(in: json) | 0x20 != UInt8(ascii: "e") else { return nil }
        switch kind {
        case .double:
            let value = Double(digits) / Self.power(fraction)
            return (isNegative ? -value : value).bitPattern
        case .float:
            // Both operands are exact in a float, so this rounds once (10¹⁰ = 2¹⁰ × 5¹⁰, and 5¹⁰ < 2²⁴).
            guard digits <= 1 << 24, fraction <= 10 else { return nil }
            let value = Float(digits) / Float(Self.power(fraction))
            return UInt64((isNegative ? -value : value).bitPattern)
        default:
            guard fraction == 0 else { return nil }
            return NumberBits.bits(of: WholeNumber(isNegative: isNegative, magnitude: digits), as: kind)
        }
    }

    /// At most sixteen, so that no sum overflows and no byte is read beyond the lane's reach.
    @inline(__always)
    private mutating func readDigits(into sum: inout UInt64, in json: Span<UInt8>) {
        let end = at &+ 16
        while at < end {
            let digit = byte(in: json) &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            sum = sum &* 10 &+ UInt64(digit)
            at &+= 1
        }
    }

    @inline(__always)
    private mutating func readBool(in json: Span<UInt8>) -> UInt64? {
        let word = json.uncheckedWord(at: at)
        if word & 0xffff_ffff == 0x6575_7274 {  // "true"
            at &+= 4
            return 1
        }
        guard word & 0xff_ffff_ffff == 0x65_736c_6166 else { return nil }  // "false"
        at &+= 5
        return 0
    }

    /// `null` here?
    @inline(__always)
    func isNull(in json: Span<UInt8>) -> Bool {
        json.uncheckedWord(at: at) & 0xffff_ffff == 0x6c6c_756e
    }

    /// The number of the enum name here, if the index has it whole.
    @inline(__always)
    mutating func readEnumName(
        _ index: UnsafePointer<PerfectIndex>, _ slots: UnsafePointer<PerfectIndex.Slot>, in json: Span<UInt8>
    ) -> UInt64? {
        guard byte(in: json) == UInt8(ascii: "\""), let name = shortString(in: json),
            name.length <= PerfectIndex.wholeLength,
            let value = unsafe Self.value(of: name, index, slots)
        else { return nil }
        at &+= name.length &+ 2
        return UInt64(bitPattern: Int64(value))
    }

    /// The string here, if it has no more than 31 bytes, no escape among them.
    @inline(__always)
    func shortString(in json: Span<UInt8>) -> NameEnds? {
        let start = at &+ 1
        var length = json.uncheckedBlock(at: start).stringEnds.first
        if length == 16 { length &+= json.uncheckedBlock(at: start &+ 16).stringEnds.first }
        let end = start &+ length
        guard unsafe json[unchecked: end] == UInt8(ascii: "\"") else { return nil }
        // Of a name shorter than eight bytes the second word is not used; it may begin before the name, not before the
        // input.
        return NameEnds(
            word: json.uncheckedWord(at: start), endWord: json.uncheckedWord(at: max(end &- 8, 0)),
            length: length)
    }

    @inline(__always)
    static func value(
        of name: NameEnds, _ index: UnsafePointer<PerfectIndex>, _ slots: UnsafePointer<PerfectIndex.Slot>
    ) -> Int32? {
        let slot = unsafe slots + index.pointee.slot(of: name)
        let isName =
            unsafe slot.pointee.first == name.first && slot.pointee.last == name.last
            && slot.pointee.length == name.length
        return isName ? unsafe slot.pointee.value : nil
    }

    /// Copies the list of numbers or bools here, packed. An empty one leaves nothing.
    @inline(never)  // out of the way of what is met more often
    mutating func readPacked(_ key: UnsafePointer<LaneKey>, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "[") else { return false }
        at &+= 1
        skipSpace(in: json)
        guard byte(in: json) != UInt8(ascii: "]") else {
            at &+= 1
            return true
        }
        let kind = unsafe key.pointee.kind
        unsafe store(key.pointee.tag, at: to)
        unsafe to &+= key.pointee.tagLength &+ 1
        let start = to
        while hasReach(in: json), let bits = readNumber(kind, in: json) {
            write(bits, as: kind)
            guard at < json.count else { return false }
            skipSpace(in: json)
            let byte = byte(in: json)
            at &+= 1
            if byte == UInt8(ascii: "]") {
                finishLength(of: start)
                return true
            }
            guard byte == UInt8(ascii: ","), at < json.count else { return false }
            skipSpace(in: json)
        }
        return false
    }
}
