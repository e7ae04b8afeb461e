internal import PorticoWire

/// Undoes the chunked transfer coding (RFC 9112 section 7.1), fed in pieces of any size.
///
/// Worked example: `4;a=b\r\nWiki\r\n0\r\nExpires: 0\r\n\r\n` is one chunk of four bytes with an extension, the last chunk,
/// one trailer field and the empty line that ends it all. Extensions and trailers are skipped, up to a limit.
struct ChunkedBody: Sendable {
    private enum Stage: Sendable, Equatable {
        /// Hexadecimal digits so far, and their value.
        case size(digits: Int, value: Int)
        case extensions(size: Int)
        case sizeLineFeed(size: Int)
        case data(left: Int)
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailer
        case trailerLineFeed
        case finalLineFeed
        case done
    }

    private var stage = Stage.size(digits: 0, value: 0)
    private var overheadLeft: Int

    /// - Parameter overheadBytes: of extensions and trailers together.
    init(overheadBytes: Int) { overheadLeft = overheadBytes }

    var isDone: Bool { stage == .done }

    /// Appends the data among `bytes` to `body`.
    ///
    /// - Returns: how many bytes belonged to this body: all of them until ``isDone``.
    /// - Throws: ``TransportError/bodyTooLong(limitBytes:)`` as soon as a size says so; ``TransportError/malformed``.
    mutating func append(
        _ bytes: Span<UInt8>, to body: inout [UInt8], limitBytes: Int
    ) throws(TransportError) -> Int {
        var offset = 0
        while offset < bytes.count, stage != .done {
            if case .data(let left) = stage {
                let count = min(left, bytes.count - offset)
                body.append(copying: bytes.extracting(offset..<offset + count))
                offset += count
                stage = count == left ? .dataReturn : .data(left: left - count)
            } else {
                stage = try after(bytes[offset], roomBytes: limitBytes - body.count, limitBytes: limitBytes)
                offset += 1
            }
        }
        return offset
    }

    private mutating func after(
        _ byte: UInt8, roomBytes: Int, limitBytes: Int
    ) throws(TransportError) -> Stage {
        switch stage {
        case .size(let digits, let value):
            if let digit = byte.hexDigit {
                guard digits < 15 else { throw .malformed }
                return .size(digits: digits + 1, value: value << 4 | digit)
            }
            guard digits > 0 else { throw .malformed }
            guard value <= roomBytes else { throw .bodyTooLong(limitBytes: limitBytes) }
            return try sizeEnded(value, byte)
        case .extensions(let size):
            return byte == 13 ? .sizeLineFeed(size: size) : try skipping(byte, .extensions(size: size))
        case .sizeLineFeed(let size):
            return try expecting(10, byte, size == 0 ? .trailerStart : .data(left: size))
        case .dataReturn: return try expecting(13, byte, .dataLineFeed)
        case .dataLineFeed: return try expecting(10, byte, .size(digits: 0, value: 0))
        case .trailerStart: return byte == 13 ? .finalLineFeed : try skipping(byte, .trailer)
        case .trailer: return byte == 13 ? .trailerLineFeed : try skipping(byte, .trailer)
        case .trailerLineFeed: return try expecting(10, byte, .trailerStart)
        case .finalLineFeed: return try expecting(10, byte, .done)
        case .data, .done: preconditionFailure("data and what follows the end are not read byte by byte")
        }
    }

    private mutating func sizeEnded(_ size: Int, _ byte: UInt8) throws(TransportError) -> Stage {
        switch byte {
        case 13: return .sizeLineFeed(size: size)
        // Blanks are bad manners that RFC 9112 section 7.1.1 lets a reader take before an extension.
        case UInt8(ascii: ";"), 0x20, 0x09: return try skipping(byte, .extensions(size: size))
        default: throw .malformed
        }
    }

    private mutating func skipping(_ byte: UInt8, _ next: Stage) throws(TransportError) -> Stage {
        guard byte == 0x09 || byte >= 0x20 && byte != 0x7f, overheadLeft > 0 else { throw .malformed }
        overheadLeft -= 1
        return next
    }

    private func expecting(
        _ expected: UInt8, _ byte: UInt8, _ next: Stage
    ) throws(TransportError) -> Stage {
        guard byte == expected else { throw .malformed }
        return next
    }
}

extension UInt8 {
    fileprivate var hexDigit: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
