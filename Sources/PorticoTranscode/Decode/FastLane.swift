// The part of the decoder that reads what it expects: its places in the JSON and in the record are locals, held in
// registers, and it never fails. What it does not expect it leaves untouched to the careful reader, which reads it again
// from the key on and finds every fault. Worked example, one step, `"name":"Yoda",` into `string name = 1`:
//
//     load `"name":"`, masked to seven bytes: it is the key expected here
//     0a 00                    the tag, and a byte aside for the length
//     0a 00 59 6f 64 61 22 …   a word loaded, stored, and looked at: the quote is byte 4
//     0a 04 59 6f 64 61        the length, written into its byte
//
// Bounds: before a value there are ``reach`` bytes of JSON left, more than the longest key, number or word that is read
// without looking; copying tests for itself. The record has room for the rest of the JSON and ``margin`` bytes more.

import PorticoWire

/// The lane's places, and where it writes.
@safe struct FastLane {
    /// In the JSON.
    var at: Int
    /// In the record.
    var to: Int
    private let record: UnsafeMutablePointer<UInt8>
    /// While `to - at` is no more than this the record has room.
    private let slack: Int

    /// Bytes that are read without a test: a key of 32, or a number of 20 and what follows it.
    static let reach = 40
    /// Bytes that one value may write beyond the length of its JSON: tag, length, a varint and a whole word.
    static let margin = 64

    init(at: Int, buffer: borrowing RecordBuffer, jsonBytes: Int) {
        self.at = at
        to = buffer.count
        unsafe record = buffer.start
        slack = buffer.capacity &- jsonBytes &- Self.margin
    }

    @inline(__always)
    func hasReach(in json: Span<UInt8>) -> Bool { at &+ Self.reach <= json.count && to &- at <= slack }

    @inline(__always)
    func byte(in json: Span<UInt8>) -> UInt8 { unsafe json[unchecked: at] }

    /// Compact JSON has no white space; whoever indents has a run of it.
    @inline(__always)
    mutating func skipSpace(in json: Span<UInt8>) {
        if byte(in: json) <= 0x20 { at = Self.endOfSpace(at, in: json) }
    }

    /// - Returns: the first byte that is none of the four spaces, at most the input's last.
    @inline(never)
    private static func endOfSpace(_ start: Int, in json: Span<UInt8>) -> Int {
        var at = start
        while at &+ 1 < json.count {
            if at &+ 8 < json.count, json.word(at: at) == UInt64(repeatingByte: 0x20) {
                at &+= 8
                continue
            }
            let byte = json[at]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { break }
            at &+= 1
        }
        return at
    }

    @inline(__always)
    private func store(_ word: UInt64, at offset: Int) {
        unsafe UnsafeMutableRawPointer(record + offset).storeBytes(of: word.littleEndian, as: UInt64.self)
    }

    /// Writes a field's tag and number.
    @inline(__always)
    mutating func write(_ bits: UInt64, for key: LaneKey) {
        store(key.tag, at: to)
        to &+= key.tagLength
        switch key.kind.wireType {
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
}

/// Strings.
extension FastLane {
    /// Copies the string here behind its tag and length.
    @inline(__always)
    mutating func readText(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "\"") else { return false }
        store(key.tag, at: to)
        let start = to &+ key.tagLength &+ 1
        (at, to) = (at &+ 1, start)
        guard copyText(in: json) else { return false }
        let length = to &- start
        if length < 0x80 {
            unsafe record[start &- 1] = UInt8(truncatingIfNeeded: length)
        } else {
            to = widenLength(of: start..<to)
        }
        return true
    }

    /// Copies up to the closing quote, and steps over that.
    @inline(__always)
    private mutating func copyText(in json: Span<UInt8>) -> Bool {
        while at &+ 8 <= json.count {
            let word = json.uncheckedWord(at: at)
            store(word, at: to)
            let specials = word.stringSpecials
            guard specials != 0 else {
                at &+= 8
                to &+= 8
                continue
            }
            at &+= specials.firstMarkedByte
            to &+= specials.firstMarkedByte
            if byte(in: json) != UInt8(ascii: "\"") {
                (at, to) = copyForeign(in: json)
                if at < 0 { return false }
            }
            at &+= 1
            return true
        }
        return false
    }

    /// Copies the rest of a string that is not plain ASCII. Out of line, and not `mutating`, so that the lane's places
    /// stay in registers.
    /// - Returns: the places of the closing quote; -1: the string is not valid, or ends too near the end of the input.
    @inline(never)
    private func copyForeign(in json: Span<UInt8>) -> (at: Int, to: Int) {
        var (at, to) = (at, to)
        while at &+ 16 <= json.count {
            let word = json.uncheckedWord(at: at)
            store(word, at: to)
            let specials = word.stringSpecials
            guard specials != 0 else {
                at &+= 8
                to &+= 8
                continue
            }
            at &+= specials.firstMarkedByte
            to &+= specials.firstMarkedByte
            let byte = unsafe json[unchecked: at]
            if byte >= 0x80 {
                let length = JSONText.sequenceLength(at: at, in: json)
                guard length > 0 else { return (-1, to) }
                store(json.word(at: at), at: to)
                at &+= length
                to &+= length
            } else if byte == UInt8(ascii: "\\") {
                guard let escape = try? JSONText.escape(at: at, in: json) else { return (-1, to) }
                let (bytes, length) = JSONText.utf8(of: escape.scalar)
                store(UInt64(bytes), at: to)
                at &+= escape.length
                to &+= length
            } else {
                return (byte == UInt8(ascii: "\"") ? at : -1, to)
            }
        }
        return (-1, to)
    }

    /// Makes room for a length that needs more than the byte set aside, and writes it.
    /// - Returns: where the text ends then.
    @inline(never)
    private func widenLength(of text: Range<Int>) -> Int {
        let width = ProtobufWidth.ofVarint(text.count)
        let start = text.lowerBound &+ width &- 1
        unsafe (record + start).update(from: record + text.lowerBound, count: text.count)
        var rest = text.count
        for index in text.lowerBound &- 1..<start {
            unsafe record[index] = UInt8(truncatingIfNeeded: rest) | (index < start &- 1 ? 0x80 : 0)
            rest &>>= 7
        }
        return text.upperBound &+ width &- 1
    }

    /// Copies the list of strings here.
    @inline(__always)
    mutating func readTexts(_ key: LaneKey, in json: Span<UInt8>) -> Bool {
        guard byte(in: json) == UInt8(ascii: "[") else { return false }
        at &+= 1
        skipSpace(in: json)
        guard byte(in: json) != UInt8(ascii: "]") else {
            at &+= 1
            return true
        }
        while hasReach(in: json), readText(key, in: json) {
            guard at < json.count else { return false }
            skipSpace(in: json)
            let byte = byte(in: json)
            at &+= 1
            if byte == UInt8(ascii: "]") { return true }
            guard byte == UInt8(ascii: ","), at < json.count else { return false }
            skipSpace(in: json)
        }
        return false
    }
}
