/// `"00000001 2c00"` as bytes; blanks are for the eye.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }
    precondition(digits.count.isMultiple(of: 2), "a test's own bytes are whole")
    var result: [UInt8] = []
    var index = digits.startIndex
    while index < digits.endIndex {
        let next = digits.index(index, offsetBy: 2)
        result.append(UInt8(digits[index..<next], radix: 16)!)
        index = next
    }
    return result
}
