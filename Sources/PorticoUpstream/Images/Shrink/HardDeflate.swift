internal import CZlib

/// zlib at its slowest and smallest, for work that nobody waits for. `unsafe` because the C functions take pointers.
enum HardDeflate {
    /// How matches are looked for; which is best depends on the data.
    enum Strategy: CaseIterable {
        case ordinary
        /// For what a filter left: small numbers, few matches.
        case filtered
        /// Only runs of one byte.
        case runs

        fileprivate var code: Int32 {
            switch self {
            case .ordinary: Z_DEFAULT_STRATEGY
            case .filtered: Z_FILTERED
            case .runs: Z_RLE
            }
        }
    }

    /// The zlib format (RFC 1950); nil: no memory for it.
    static func compress(_ bytes: [UInt8], _ strategy: Strategy) -> [UInt8]? {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard
            unsafe deflateInit2_(&stream, 9, Z_DEFLATED, 15, 9, strategy.code, zlibVersion(), size) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = Int(unsafe deflateBound(&stream, uLong(bytes.count)))
        var (input, status) = (bytes, Z_OK)
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            status = unsafe input.withUnsafeMutableBufferPointer { source in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = uInt(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = uInt(bound)
                return unsafe deflate(&stream, Z_FINISH)
            }
            count = status == Z_STREAM_END ? unsafe bound - Int(stream.avail_out) : 0
        }
        return status == Z_STREAM_END ? packed : nil
    }
}
