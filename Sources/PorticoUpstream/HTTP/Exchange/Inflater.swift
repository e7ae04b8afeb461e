internal import CZlib

/// zlib's inflate over a whole body, with a limit on what comes out. `unsafe` because the C functions take pointers.
@safe struct Inflater: ~Copyable {
    enum Format: Sendable {
        case gzip
        /// Officially the zlib format (RFC 1950); some servers send the bare blocks (RFC 1951) under this name.
        case deflate

        init?(coding: String) {
            switch coding {
            case "gzip", "x-gzip": self = .gzip
            case "deflate": self = .deflate
            default: return nil
            }
        }
    }

    /// How zlib is told a format: the window of 2^15 bytes, plus 16 for gzip, negative for bare blocks.
    private enum WindowBits {
        static let gzip: Int32 = 31
        static let zlib: Int32 = 15
        static let bare: Int32 = -15
    }

    /// zlib keeps the stream's address: it must not move, so it lives on the heap.
    private let stream: UnsafeMutablePointer<z_stream>

    private init(windowBits: Int32) throws(TransportError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .malformed }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// - Throws: ``TransportError/bodyTooLong(limitBytes:)``, ``TransportError/malformed``.
    static func inflate(
        _ bytes: [UInt8], _ format: Format, limitBytes: Int
    ) throws(TransportError) -> [UInt8] {
        switch format {
        case .gzip: return try Inflater(windowBits: WindowBits.gzip).run(bytes, limitBytes: limitBytes)
        case .deflate:
            let bits = hasZlibHeader(bytes) ? WindowBits.zlib : WindowBits.bare
            return try Inflater(windowBits: bits).run(bytes, limitBytes: limitBytes)
        }
    }

    /// RFC 1950 section 2.2: method 8, and the first two bytes a multiple of 31.
    private static func hasZlibHeader(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 2 && bytes[0] & 0x0f == 8 && (UInt(bytes[0]) << 8 | UInt(bytes[1])) % 31 == 0
    }

    private consuming func run(_ bytes: [UInt8], limitBytes: Int) throws(TransportError) -> [UInt8] {
        let pieceBytes = 64 << 10
        var body: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(pieceBytes, limitBytes + 1))
        var consumed = 0
        while true {
            let step = step(bytes[consumed...], into: &piece)
            consumed += step.consumed
            guard body.count + step.produced <= limitBytes else { throw .bodyTooLong(limitBytes: limitBytes) }
            body += piece[..<step.produced]
            switch step.status {
            case Z_OK where step.consumed > 0 || step.produced > 0: continue
            case Z_STREAM_END where consumed == bytes.count: return body
            // A gzip file may consist of several members (RFC 1952 section 2.2).
            case Z_STREAM_END: guard unsafe inflateReset(stream) == Z_OK else { throw .malformed }
            case _: throw .malformed
            }
        }
    }

    private borrowing func step(
        _ bytes: ArraySlice<UInt8>, into piece: inout [UInt8]
    ) -> (status: Int32, consumed: Int, produced: Int) {
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe piece.withUnsafeMutableBufferPointer { target in
                let offered = min(source.count, Int(UInt32.max))
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = uInt(offered)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = uInt(target.count)
                let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                return (
                    status, offered - Int(unsafe stream.pointee.avail_in),
                    target.count - Int(unsafe stream.pointee.avail_out)
                )
            }
        }
    }
}
