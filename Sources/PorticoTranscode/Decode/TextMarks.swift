// Where texts end, looked up before anybody asks: one bit for each byte of the next stretch of JSON, set where a text cannot
// go on plainly. Worked example, the end of the text that begins at byte 9 of `{"name":"Yoda","height":66}`:
//
//     byte     0         1         2
//              012345678901234567890123456
//     JSON     {"name":"Yoda","height":66}
//     marks    010000101000010100000010000     quotes, backslashes, control characters
//     word at 9: bits from byte 9 on, 00001010…; four zero bits → the text has four bytes
//
// Blocks are compared one after the other and none waits for another. Looked up at its own place instead, the end of each
// text waited for the compare, which waited for the end of the text before: some 28 clock cycles a string, where a shift of
// the marks takes 12. With marks the fastest runs of `Benchmarks decode` on Star Wars went from 2.2 to 2.5 GB/s.

/// The marks of a stretch of JSON. Owns its memory, so that the lane reads them without an array's checks.
@safe struct TextMarks: ~Copyable {
    /// A bit for each byte of ``covered``, and a word of ones behind them.
    private let words: UnsafeMutablePointer<UInt64>
    /// Begins and ends between blocks; its end may lie at the input's.
    private(set) var covered = 0..<0

    /// Bytes of JSON that are marked at a time: both they and their marks stay in the nearest cache.
    private static let stretch = 8192
    /// Bytes behind any place for which ``word(at:)`` has bits: 64, less those lost because words begin at whole bytes.
    static let reach = 57

    init() {
        unsafe words = .allocate(capacity: Self.stretch / 64 + 1)
    }

    deinit { unsafe words.deallocate() }

    /// Where the marks of byte 0 would lie; those of the bytes of ``covered`` do lie behind it.
    var base: UnsafeRawPointer { unsafe UnsafeRawPointer(words) - covered.lowerBound / 8 }

    /// Marks the bytes from `start`, or a little before, on.
    @inline(never)
    mutating func cover(from start: Int, in json: Span<UInt8>) {
        let first = start & ~63
        let end = min(first + Self.stretch, json.count)
        var at = first
        var word = unsafe words
        while at + 64 <= end {
            unsafe word.pointee = (Self.marks(at, in: json)).littleEndian
            unsafe word += 1
            at += 64
        }
        // The last bytes of the input are marked by blocks; what is left is less than a block, which nobody asks for.
        if at < end {
            var last = UInt64.max
            for (index, place) in stride(from: at, through: end - 16, by: 16).enumerated() {
                let marks = UInt64(json.uncheckedBlock(at: place).stringEnds.bits)
                last &= ~(0xffff &<< UInt64(16 * index)) | marks &<< UInt64(16 * index)
            }
            unsafe word.pointee = last.littleEndian
            unsafe word += 1
        }
        unsafe word.pointee = .max
        covered = first..<end
    }

    /// The marks from this place on, made now if they are not at hand.
    @inline(__always)  // a few instructions, before every run
    mutating func texts(from start: Int, in json: Span<UInt8>) -> MarkedTexts {
        let texts = MarkedTexts(self, from: start, in: json)
        guard !texts.reaches(start), start &+ FastLane.textReach <= json.count else { return texts }
        cover(from: start, in: json)
        return MarkedTexts(self, from: start, in: json)
    }

    @inline(__always)  // the body of a loop
    private static func marks(_ at: Int, in json: Span<UInt8>) -> UInt64 {
        let low =
            UInt64(json.uncheckedBlock(at: at).stringEnds.bits)
            | UInt64(json.uncheckedBlock(at: at &+ 16).stringEnds.bits) &<< 16
        let high =
            UInt64(json.uncheckedBlock(at: at &+ 32).stringEnds.bits)
            | UInt64(json.uncheckedBlock(at: at &+ 48).stringEnds.bits) &<< 16
        return low | high &<< 32
    }
}

/// The marks as the lane reads them: plain values, in registers.
@safe struct MarkedTexts {
    private let base: UnsafeRawPointer
    /// Places up to here have all that a run reads without a test.
    private let last: Int

    /// - Parameter start: nothing before it is asked for.
    @inline(__always)  // a few instructions, before every run
    init(_ marks: borrowing TextMarks, from start: Int, in json: Span<UInt8>) {
        unsafe base = marks.base
        // A key that fills two fields is read twice: the marks may begin behind it by then.
        last =
            start < marks.covered.lowerBound
            ? .min : min(marks.covered.upperBound, json.count) &- FastLane.runReach
    }

    /// Whether all that a run reads from this place on is there, and marked.
    @inline(__always)
    func reaches(_ place: Int) -> Bool { place <= last }

    /// Whether a text that begins at this place is marked.
    @inline(__always)
    func reachesText(_ place: Int) -> Bool { place &+ (TextMarks.reach &- FastLane.runReach) <= last }

    /// Bytes up to the next mark; more than 55: further away.
    @inline(__always)
    func plainLength(at place: Int) -> Int {
        let word = unsafe base.loadUnaligned(fromByteOffset: place &>> 3, as: UInt64.self)
        return (word.littleEndian &>> UInt64(truncatingIfNeeded: place & 7) | 1 &<< 56).trailingZeroBitCount
    }
}
