// Well-formed UTF-8 (Unicode 15, table 3-7) as a machine of nine states that takes a byte at a time without a branch. A
// state is a shift, a multiple of six; a byte's row holds, at that shift, the state that follows. Worked example, `é`:
//
//     start, c3      row[c3] >> start  = one more           (one continuation byte is missing)
//     one more, a9   row[a9] >> one more = start            well-formed
//     start, a9      row[a9] >> start  = refused, for good
//
// The technique is Per Vognsen's shift-based automaton (2022).
enum UTF8States {
    static let refused: UInt64 = 0
    static let start: UInt64 = 6
    private static let oneMore: UInt64 = 12
    private static let twoMore: UInt64 = 18
    private static let threeMore: UInt64 = 24
    private static let afterE0: UInt64 = 30
    private static let afterED: UInt64 = 36
    private static let afterF0: UInt64 = 42
    private static let afterF4: UInt64 = 48

    /// What each state makes of `byte`, each at its own shift.
    static func row(of byte: UInt8) -> UInt64 {
        var row = lead(byte) << start
        guard (0x80...0xbf).contains(byte) else { return row }
        row |= start << oneMore | oneMore << twoMore | twoMore << threeMore
        row |= (byte >= 0xa0 ? oneMore : refused) << afterE0
        row |= (byte <= 0x9f ? oneMore : refused) << afterED
        row |= (byte >= 0x90 ? twoMore : refused) << afterF0
        row |= (byte <= 0x8f ? twoMore : refused) << afterF4
        return row
    }

    private static func lead(_ byte: UInt8) -> UInt64 {
        switch byte {
        case 0..<0x80: start
        case 0xc2...0xdf: oneMore
        case 0xe0: afterE0
        case 0xed: afterED
        case 0xe1...0xef: twoMore
        case 0xf0: afterF0
        case 0xf1...0xf3: threeMore
        case 0xf4: afterF4
        default: refused
        }
    }
}
