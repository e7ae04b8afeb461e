import PorticoWire

// The single pass of an encoder. A list opens at its first element and closes when another field, or the end, comes:
//
//     08 01  08 02  12 01 61       field 1, field 1 again, field 2
//     {"a":[1,2],"b":"a"}
struct RecordWriter {
    let tables: MessageLayout.Tables
    let maximumDepth: Int

    /// How far the pass over one message has come.
    struct Progress {
        /// Index of the field met last; -1: none yet.
        var field = -1
        var isEmpty = true
        /// Closes the list or map that is open: 0 when none is.
        var closing: UInt8 = 0
        /// Number of the field that the open list or map belongs to.
        var openNumber = 0
        /// Oneofs of which a member has been written, a bit each.
        var oneofs: UInt64 = 0
        /// Those beyond the 64th.
        var moreOneofs: [Int] = []

        /// - Returns: false: one has been written before.
        mutating func beginMember(of oneof: Int) -> Bool {
            guard oneof < UInt64.bitWidth else {
                defer { moreOneofs.append(oneof) }
                return !moreOneofs.contains(oneof)
            }
            defer { oneofs |= 1 << UInt64(oneof) }
            return oneofs >> UInt64(oneof) & 1 == 0
        }
        /// Of the map that is open.
        var lastKey: MapKey?
    }

    enum MapKey {
        case text(Range<Int>)
        case number(UInt64)
    }

    /// Appends the message in `range` as a JSON object.
    mutating func write(
        _ message: Int, _ range: Range<Int>, depth: Int, to json: inout [UInt8], in bytes: Span<UInt8>
    ) throws(EncodeStop) {
        guard depth <= maximumDepth else {
            throw .failed(.malformedProtobuf(.tooDeep(limit: maximumDepth), offset: range.lowerBound))
        }
        let fields = tables.messages[message]
        var cursor = ProtobufCursor(range)
        var progress = Progress()
        json.append(UInt8(ascii: "{"))
        while let tag = try next(&cursor, in: bytes) {
            let hint = max(progress.field, 0)
            guard let index = Self.index(of: tag, in: fields, hint: hint) else {
                do throws(ProtobufError) { try cursor.skip(tag.wireType, in: bytes) } catch {
                    throw .failed(TranscodeError(error))
                }
                continue
            }
            try begin(index, fields[index], &progress)
            try writeField(
                fields[index], tag.wireType, &cursor, &progress, depth: depth, to: &json, in: bytes)
        }
        if progress.closing != 0 { json.append(progress.closing) }
        json.append(UInt8(ascii: "}"))
    }

    private func next(
        _ cursor: inout ProtobufCursor, in bytes: Span<UInt8>
    ) throws(EncodeStop) -> ProtobufTag? {
        do throws(ProtobufError) { return try cursor.nextTag(in: bytes) } catch {
            throw .failed(TranscodeError(error))
        }
    }

    private static func index(of tag: ProtobufTag, in fields: [FieldLayout], hint: Int) -> Int? {
        let index = fields.index(ofNumber: tag.field, hint: hint) ?? -1
        return index >= 0 && fields[index].accepts(tag.wireType) ? index : nil
    }

    /// Checks that the field may come here in a single pass.
    private func begin(_ index: Int, _ field: FieldLayout, _ progress: inout Progress) throws(EncodeStop) {
        guard index >= progress.field else { throw .outOfOrder }
        if index == progress.field, field.isSingular { throw .outOfOrder }
        if field.oneof >= 0, !progress.beginMember(of: field.oneof) { throw .outOfOrder }
        progress.field = index
    }

    private mutating func writeField(
        _ field: FieldLayout, _ wireType: WireType, _ cursor: inout ProtobufCursor,
        _ progress: inout Progress,
        depth: Int, to json: inout [UInt8], in bytes: Span<UInt8>
    ) throws(EncodeStop) {
        let isNumber = field.kind.wireType != .lengthDelimited
        guard wireType == .lengthDelimited else {
            let bits = try readNumber(field, &cursor, in: bytes)
            if bits != 0 || field.shape != .implicit {
                openElement(field, &progress, to: &json)
                append(bits, field, to: &json)
            }
            return
        }
        let range: Range<Int>
        do throws(ProtobufError) { range = try cursor.lengthDelimited(in: bytes) } catch {
            throw .failed(TranscodeError(error))
        }
        if field.shape == .map {
            try writeEntry(field, range, &progress, depth: depth, to: &json, in: bytes)
        } else if isNumber {
            var packed = ProtobufCursor(range)
            while packed.offset < packed.end {
                let bits = try readNumber(field, &packed, in: bytes)
                openElement(field, &progress, to: &json)
                append(bits, field, to: &json)
            }
        } else if !range.isEmpty || field.shape != .implicit {
            openElement(field, &progress, to: &json)
            try writeDelimited(field, range, depth: depth, to: &json, in: bytes)
        }
    }
}

/// Single values, and the brackets and commas around them.
extension RecordWriter {
    /// Begins the field, or the next element of its list.
    private func openElement(_ field: FieldLayout, _ progress: inout Progress, to json: inout [UInt8]) {
        if progress.closing != 0 {
            if progress.openNumber == field.number { return json.append(UInt8(ascii: ",")) }
            json.append(progress.closing)
            progress.closing = 0
        }
        if !progress.isEmpty { json.append(UInt8(ascii: ",")) }
        progress.isEmpty = false
        json += tables.jsonKeys[field.names]
        guard !field.isSingular else { return }
        json.append(field.shape == .map ? UInt8(ascii: "{") : UInt8(ascii: "["))
        progress.closing = field.shape == .map ? UInt8(ascii: "}") : UInt8(ascii: "]")
        progress.openNumber = field.number
        progress.lastKey = nil
    }

    private func readNumber(
        _ field: FieldLayout, _ cursor: inout ProtobufCursor, in bytes: Span<UInt8>
    ) throws(EncodeStop) -> UInt64 {
        do throws(TranscodeError) { return try StoredNumber.read(field.kind, &cursor, in: bytes) } catch {
            throw .failed(error)
        }
    }

    private func append(_ bits: UInt64, _ field: FieldLayout, to json: inout [UInt8]) {
        let names = field.kind == .enumeration ? tables.enums[field.child] : nil
        JSONOutput.append(bits, as: field.kind, names: names, to: &json)
    }

    private mutating func writeDelimited(
        _ field: FieldLayout, _ range: Range<Int>, depth: Int, to json: inout [UInt8], in bytes: Span<UInt8>
    ) throws(EncodeStop) {
        switch field.kind {
        case .message: try write(field.child, range, depth: depth + 1, to: &json, in: bytes)
        case .string:
            try checkUTF8(range, in: bytes)
            JSONOutput.append(string: bytes.extracting(range), to: &json)
        default:
            json.append(UInt8(ascii: "\""))
            Base64.encode(range, of: bytes, into: &json)
            json.append(UInt8(ascii: "\""))
        }
    }

    private func checkUTF8(_ range: Range<Int>, in bytes: Span<UInt8>) throws(EncodeStop) {
        do throws(TranscodeError) { try bytes.checkUTF8(range) } catch { throw .failed(error) }
    }
}

/// Maps.
extension RecordWriter {
    /// What an entry holds; nil: absent, and so its default.
    private struct Entry {
        var keyText: Range<Int>
        var keyBits: UInt64 = 0
        var valueText: Range<Int>
        var valueBits: UInt64 = 0
        var hasValue = false
    }

    private mutating func writeEntry(
        _ field: FieldLayout, _ range: Range<Int>, _ progress: inout Progress, depth: Int,
        to json: inout [UInt8], in bytes: Span<UInt8>
    ) throws(EncodeStop) {
        guard depth < maximumDepth else {
            throw .failed(.malformedProtobuf(.tooDeep(limit: maximumDepth), offset: range.lowerBound))
        }
        let parts = tables.messages[field.child]
        let entry = try readEntry(parts, range, in: bytes)
        openElement(field, &progress, to: &json)
        try writeKey(parts[0], entry, &progress, to: &json, in: bytes)
        json.append(UInt8(ascii: ":"))
        if parts[1].kind.wireType == .lengthDelimited {
            try writeDelimited(parts[1], entry.valueText, depth: depth + 1, to: &json, in: bytes)
        } else {
            append(entry.valueBits, parts[1], to: &json)
        }
    }

    private func readEntry(
        _ parts: MessageLayout.Fields, _ range: Range<Int>, in bytes: Span<UInt8>
    ) throws(EncodeStop) -> Entry {
        let nothing = range.lowerBound..<range.lowerBound
        var entry = Entry(keyText: nothing, valueText: nothing)
        var cursor = ProtobufCursor(range)
        while let tag = try next(&cursor, in: bytes) {
            guard let index = Self.index(of: tag, in: parts, hint: tag.field - 1) else {
                do throws(ProtobufError) { try cursor.skip(tag.wireType, in: bytes) } catch {
                    throw .failed(TranscodeError(error))
                }
                continue
            }
            // A value in two parts is merged by the canonical form.
            if index == 1, entry.hasValue { throw .outOfOrder }
            if index == 1 { entry.hasValue = true }
            if tag.wireType == .lengthDelimited {
                let text: Range<Int>
                do throws(ProtobufError) { text = try cursor.lengthDelimited(in: bytes) } catch {
                    throw .failed(TranscodeError(error))
                }
                if parts[index].kind == .string { try checkUTF8(text, in: bytes) }
                if index == 0 { entry.keyText = text } else { entry.valueText = text }
            } else {
                let bits = try readNumber(parts[index], &cursor, in: bytes)
                if index == 0 { entry.keyBits = bits } else { entry.valueBits = bits }
            }
        }
        return entry
    }

    /// Writes the key, which must go behind the one before it.
    private func writeKey(
        _ key: FieldLayout, _ entry: Entry, _ progress: inout Progress, to json: inout [UInt8],
        in bytes: Span<UInt8>
    ) throws(EncodeStop) {
        guard key.kind != .string else {
            if case .text(let last) = progress.lastKey, !bytes.precedes(last, entry.keyText) {
                throw .outOfOrder
            }
            progress.lastKey = .text(entry.keyText)
            return JSONOutput.append(string: bytes.extracting(entry.keyText), to: &json)
        }
        if case .number(let last) = progress.lastKey,
            !StoredNumber.precedes(last, entry.keyBits, as: key.kind)
        {
            throw .outOfOrder
        }
        progress.lastKey = .number(entry.keyBits)
        json.append(UInt8(ascii: "\""))
        json.append(contentsOf: JSONOutput.text(of: entry.keyBits, as: key.kind, names: nil).utf8)
        json.append(UInt8(ascii: "\""))
    }
}
