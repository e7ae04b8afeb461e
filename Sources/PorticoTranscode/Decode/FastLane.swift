// The part of the decoder that reads what it expects: its places in the JSON and in the record are locals, held in
// registers, and it never fails. What it does not expect it leaves untouched to the careful reader, which reads it again
// from the key on and finds every fault. Worked example, one step, `"name":"Yoda",` into `string name = 1`:
//
//     load `"name":"`, masked to seven bytes: it is the key expected here
//     0a 00                    the tag, and a byte aside for the length
//     0a 00 59 6f 64 61 22 …   three blocks loaded and stored; by the marks the text has four bytes
//     0a 04 59 6f 64 61        the length, written into its byte
//
// Bounds: before a key there are ``reach`` bytes of JSON left, before a value ``textReach``, before a run ``runReach``: more
// than the longest key or number, or the blocks that are read without looking; other copying tests for itself. The record
// has room for ``margin`` bytes before each value and each block of a long text.

import PorticoWire

/// The lane's places, and where it writes.
@safe struct FastLane {
    /// In the JSON.
    var at: Int
    /// In the record.
    var to: Int
    let record: UnsafeMutablePointer<UInt8>
    /// ``LanePlan/states``.
    let states: UnsafePointer<UInt64>
    /// ``LanePlan/escapes``.
    let escapes: UnsafePointer<UInt32>
    /// While `to` is no more than this the record has room.
    private let lastPlace: Int

    /// Bytes that are read without a test: a key of 32, or a number of 20 and what follows it.
    static let reach = 40
    /// Bytes of a text that are read without a test: a quote, its beginning, and what follows its end.
    static let textReach = 64
    /// Bytes that are written without a test: tag, length, and a varint or three blocks.
    static let margin = 80

    init(at: Int, buffer: borrowing RecordBuffer, plan: LanePlan) {
        self.at = at
        to = buffer.count
        unsafe record = buffer.start
        unsafe states = UnsafePointer(plan.states)
        unsafe escapes = UnsafePointer(plan.escapes)
        lastPlace = buffer.capacity &- Self.margin
    }

    @inline(__always)
    func hasReach(in json: Span<UInt8>) -> Bool { at &+ Self.reach <= json.count && hasRoom }

    @inline(__always)
    var hasRoom: Bool { hasRoom(at: to) }

    @inline(__always)
    func hasRoom(at place: Int) -> Bool { place <= lastPlace }

    @inline(__always)
    func byte(in json: Span<UInt8>) -> UInt8 { unsafe json[unchecked: at] }

    /// Compact JSON has no white space; whoever indents has a run of it.
    @inline(__always)
    mutating func skipSpace(in json: Span<UInt8>) {
        if byte(in: json) <= 0x20 { at = Self.endOfSpace(at, in: json) }
    }

    /// - Returns: the first byte that is none of the four spaces, at most the input's last.
    @inline(never)
    static func endOfSpace(_ start: Int, in json: Span<UInt8>) -> Int {
        var at = start
        while at &+ 16 < json.count {
            let length = json.uncheckedBlock(at: at).nonSpaces.first
            at &+= length
            if length < 16 { return at }
        }
        while at &+ 1 < json.count, json.word(at: at).nonSpaces & 0x80 == 0 { at &+= 1 }
        return at
    }

    @inline(__always)
    func store(_ word: UInt64, at offset: Int) {
        unsafe UnsafeMutableRawPointer(record + offset).storeBytes(of: word.littleEndian, as: UInt64.self)
    }

    @inline(__always)
    func store(_ block: SIMD16<UInt8>, at offset: Int) {
        unsafe UnsafeMutableRawPointer(record + offset).storeBytes(of: block, as: SIMD16<UInt8>.self)
    }

    /// Writes a field's tag and number.
    @inline(__always)
    mutating func write(_ bits: UInt64, for key: UnsafePointer<LaneKey>) {
        unsafe store(key.pointee.tag, at: to)
        unsafe to &+= key.pointee.tagLength
        unsafe write(bits, as: key.pointee.kind)
    }

    @inline(__always)
    mutating func write(_ bits: UInt64, as kind: ValueKind) {
        switch kind.wireType {
        case .fixed64:
            store(bits, at: to)
            to &+= 8
        case .fixed32:
            store(bits, at: to)
            to &+= 4
        case .varint, .lengthDelimited:
            var rest = bits
            while rest >= 0x80 {
                unsafe record[to] = UInt8(truncatingIfNeeded: rest) | 0x80
                to &+= 1
                rest &>>= 7
            }
            unsafe record[to] = UInt8(truncatingIfNeeded: rest)
            to &+= 1
        }
    }

    /// Writes the length of `content` into the byte set aside before it; makes room if it needs more than that.
    @inline(__always)
    mutating func finishLength(of content: Int) {
        let length = to &- content
        if length < 0x80 {
            unsafe record[content &- 1] = UInt8(truncatingIfNeeded: length)
        } else {
            to = widenLength(of: content..<to)
        }
    }

    /// - Returns: where the content ends then.
    @inline(never)
    private func widenLength(of content: Range<Int>) -> Int {
        let width = ProtobufWidth.ofVarint(content.count)
        let start = content.lowerBound &+ width &- 1
        unsafe (record + start).update(from: record + content.lowerBound, count: content.count)
        var rest = content.count
        for index in content.lowerBound &- 1..<start {
            unsafe record[index] = UInt8(truncatingIfNeeded: rest) | (index < start &- 1 ? 0x80 : 0)
            rest &>>= 7
        }
        return content.upperBound &+ width &- 1
    }
}
