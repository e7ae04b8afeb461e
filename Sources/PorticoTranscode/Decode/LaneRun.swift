// The lane's inner loop: plain texts and lists of them behind the keys that were expected, nothing but a comma between, which
// is what most JSON is made of. It calls nothing, so that its places, tables and marks stay in registers, and it changes
// nothing that it does not finish: at anything else it ends behind the value before. Worked example, behind `{`:
//
//     "name":"Yoda","films":["I","II"],"height":66}
//
//     "name":"          the key predicted at first, and the quote that a text begins with
//     Yoda"             0a 04 59 6f 64 61        by the marks it has four bytes, and a quote behind them
//     ,"films":[        the key predicted behind `name`, and the bracket of a list
//     "I","II"]         22 01 49  22 02 49 49
//     ,"height":6       predicted, but no text: the loop ends behind the bracket

/// How far the lane has come in an object.
struct LaneRun {
    /// Behind the last value that was read; at first, at the object's first key.
    var at: Int
    var to: Int
    /// The key of that value; at first, the object's own place in ``Predictions``.
    var key: Int
    /// The bits of the fields that are set.
    var seen: UInt64
    /// Where that value begins in the record when it is a text that has still to be proved UTF-8; else 0.
    var unproven = 0
}

/// What a run looks things up in.
@safe struct LaneTables {
    /// ``LanePlan/keys``.
    let keys: UnsafePointer<LaneKey>
    /// Which key to expect behind each: ``Predictions``.
    let following: UnsafeMutablePointer<Int32>
    /// ``LanePlan/indexes``.
    let indexes: UnsafePointer<PerfectIndex>
    /// ``LanePlan/slots``.
    let slots: UnsafePointer<PerfectIndex.Slot>

    init(_ plan: LanePlan, _ predictions: borrowing Predictions) {
        unsafe keys = UnsafePointer(plan.keys)
        unsafe following = predictions.start
        unsafe indexes = UnsafePointer(plan.indexes)
        unsafe slots = UnsafePointer(plan.slots)
    }

    /// Notes where a tapped field is written.
    /// - Parameter seen: the bits of the fields that are set.
    /// - Returns: whether none of them is a rival of the key, but its tap.
    @inline(__always)  // a part of the loop of ``FastLane/mixedRun(from:_:_:in:)``
    static func notes(
        _ key: UnsafePointer<LaneKey>, at place: Int, _ seen: UInt64,
        _ following: UnsafeMutablePointer<Int32>
    ) -> Bool {
        guard unsafe seen & key.pointee.rivals == TapPlan.bit else { return false }
        unsafe following[Int(key.pointee.tap)] = Int32(truncatingIfNeeded: place)
        return true
    }
}

extension FastLane {
    /// Bytes from a comma on that are read without a test: a key, and the beginning of a text with its quotes.
    static let runReach = 1 + LaneKey.maximumLength + 64
    /// Bytes of a text that are copied without a look, most of them for nothing: texts differ in length, and a branch for
    /// each block would be guessed wrong too often. Longer texts are no part of a run.
    static let shortText = 48

    /// Reads the plain texts here, and lists of them.
    /// - Parameter start: at a comma, or at the brace before the first key.
    /// - Returns: behind the last of them; `start` itself when there is none.
    // With calls for other values in its loop, two thirds of its instructions moved places to the stack and back; with
    // those of ``mixedRun(from:_:_:in:)`` in it Star Wars was decoded at 2.5 GB/s in place of 2.75.
    @inline(never)
    func textRun(
        from start: LaneRun, _ tables: LaneTables, _ marks: MarkedTexts, in json: Span<UInt8>
    ) -> LaneRun {
        var run = start
        while marks.reaches(run.at), hasRoom(at: run.to) {
            let next = Int(unsafe tables.following[run.key])
            guard next >= 0 else { break }
            let key = unsafe tables.keys + next
            guard Self.isKey(unsafe key.pointee, at: run.at &+ 1, in: json) else { break }
            let at = unsafe run.at &+ 1 &+ key.pointee.length
            guard unsafe run.seen & key.pointee.rivals == 0,
                unsafe UInt16(json[unchecked: at]) == key.pointee.opener
            else { break }
            if unsafe key.pointee.step == .texts {
                guard let end = unsafe copyList(key, at: at, to: run.to, marks, in: json) else { break }
                (run.at, run.to) = end
            } else {
                let length = unsafe copyShort(key, at: at, to: run.to, marks, in: json)
                guard length >= 0 else { break }
                run.at = at &+ length &+ 2
                // Left out when empty.
                if unsafe length > 0 || key.pointee.step == .explicitText {
                    unsafe run.to &+= key.pointee.tagLength &+ 1 &+ length
                }
            }
            unsafe run.seen |= key.pointee.bit
            run.key = next
            guard unsafe json[unchecked: run.at] == UInt8(ascii: ",") else { break }
        }
        return run
    }

    /// Copies the list of texts that begins here.
    /// - Returns: the places behind it; nil: it holds something else, or goes on beyond the marks.
    @inline(__always)  // a part of the loop
    func copyList(
        _ key: UnsafePointer<LaneKey>, at start: Int, to record: Int, _ marks: MarkedTexts,
        in json: Span<UInt8>
    ) -> (at: Int, to: Int)? {
        var (at, to) = (start, record)
        guard unsafe json[unchecked: at &+ 1] != UInt8(ascii: "]") else { return (at &+ 2, to) }
        repeat {
            guard marks.reaches(at), hasRoom(at: to),
                unsafe json[unchecked: at &+ 1] == UInt8(ascii: "\"")
            else { return nil }
            let length = unsafe copyShort(key, at: at &+ 1, to: to, marks, in: json)
            guard length >= 0 else { return nil }
            at &+= length &+ 3
            unsafe to &+= key.pointee.tagLength &+ 1 &+ length
        } while unsafe json[unchecked: at] == UInt8(ascii: ",")
        return unsafe json[unchecked: at] == UInt8(ascii: "]") ? (at &+ 1, to) : nil
    }

    /// Copies the text that begins with the quote here, behind its tag and length.
    /// - Returns: how many bytes it has; -1: it is not plain, or longer than ``shortText``.
    @inline(__always)  // a part of the loop
    func copyShort(
        _ key: UnsafePointer<LaneKey>, at quote: Int, to: Int, _ marks: MarkedTexts, in json: Span<UInt8>
    ) -> Int {
        unsafe store(key.pointee.tag, at: to)
        let start = unsafe to &+ key.pointee.tagLength &+ 1
        let length = marks.plainLength(at: quote &+ 1)
        let seen = copyBlocks(at: quote &+ 1, to: start, in: json)
        guard length <= Self.shortText, unsafe json[unchecked: quote &+ 1 &+ length] == UInt8(ascii: "\""),
            // What follows the quote may have set a high bit: then the text is looked at once more.
            !seen.hasNonASCII || isASCII(quote &+ 1, length, in: json)
        else { return -1 }
        unsafe record[start &- 1] = UInt8(truncatingIfNeeded: length)
        return length
    }

    @inline(__always)  // a call would cost the loop its registers
    private func isASCII(_ start: Int, _ length: Int, in json: Span<UInt8>) -> Bool {
        let low = json.uncheckedBlock(at: start).highBits.bits
        let middle = json.uncheckedBlock(at: start &+ 16).highBits.bits
        let high = json.uncheckedBlock(at: start &+ 32).highBits.bits
        let bits = UInt64(low) | UInt64(middle) &<< 16 | UInt64(high) &<< 32
        return bits & (1 &<< UInt64(truncatingIfNeeded: length) &- 1) == 0
    }

    /// Copies ``shortText`` bytes.
    /// - Returns: all bits that were set.
    @inline(__always)  // a part of the loop
    func copyBlocks(at: Int, to: Int, in json: Span<UInt8>) -> SIMD16<UInt8> {
        let first = json.uncheckedBlock(at: at)
        let second = json.uncheckedBlock(at: at &+ 16)
        let third = json.uncheckedBlock(at: at &+ 32)
        store(first, at: to)
        store(second, at: to &+ 16)
        store(third, at: to &+ 32)
        return first | second | third
    }
}
