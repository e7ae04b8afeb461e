/// A place in a picture's bytes, and what is read there. Fewer bytes than are asked for: the picture is cut short.
struct ImageCursor {
    let format: ImageFormat
    private(set) var offset: Int
    let end: Int

    init(_ format: ImageFormat, _ range: Range<Int>) {
        self.format = format
        offset = range.lowerBound
        end = range.upperBound
    }

    var left: Int { end - offset }

    /// An unsigned integer of at most eight bytes; one that `Int` cannot hold is its largest, which fits no picture.
    mutating func bigEndian(_ count: Int, in bytes: Span<UInt8>) throws(ImageFault) -> Int {
        let part = try part(count)
        var value: UInt64 = 0
        for index in part { value = value << 8 | UInt64(bytes[index]) }
        return Int(clamping: value)
    }

    mutating func littleEndian(_ count: Int, in bytes: Span<UInt8>) throws(ImageFault) -> Int {
        let part = try part(count)
        var value: UInt64 = 0
        for index in part.reversed() { value = value << 8 | UInt64(bytes[index]) }
        return Int(clamping: value)
    }

    mutating func byte(in bytes: Span<UInt8>) throws(ImageFault) -> UInt8 { bytes[try part(1).lowerBound] }

    /// The next `count` bytes.
    @discardableResult
    mutating func part(_ count: Int) throws(ImageFault) -> Range<Int> {
        guard count <= left else { throw cutShort }
        defer { offset += count }
        return offset..<offset + count
    }

    var cutShort: ImageFault { .cutShort(format, atByte: end) }

    func broken(_ part: ImageFault.Part) -> ImageFault { .broken(format, part, atByte: offset) }
}

extension Span<UInt8> {
    /// Whether `text` stands at `offset`.
    func has(_ text: String, at offset: Int) -> Bool {
        guard offset >= 0, text.utf8.count <= count - offset else { return false }
        for (index, unit) in text.utf8.enumerated() where self[offset + index] != unit { return false }
        return true
    }
}
