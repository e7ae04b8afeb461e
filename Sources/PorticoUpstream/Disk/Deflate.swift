internal import CZlib

/// zlib, as far as it is needed: one-shot compression and checksums. `unsafe` because the C functions take pointers.
package enum Deflate {
    /// The zlib format (RFC 1950); nil: the result would be longer than `limitBytes`.
    package static func compress(_ bytes: [UInt8], limitBytes: Int) -> [UInt8]? {
        guard limitBytes > 0 else { return nil }
        var length = uLongf(limitBytes)
        var status = Z_OK
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { target, count in
            status = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe compress2(
                    target.baseAddress, &length, source.baseAddress, uLong(source.count),
                    Z_DEFAULT_COMPRESSION)
            }
            count = status == Z_OK ? Int(length) : 0
        }
        return status == Z_OK ? packed : nil
    }

    /// Of the plain bytes: what deflating must save to be worth inflating again.
    package static let savingPercent = 5

    /// Nil: it saves less than ``savingPercent``.
    package static func worthwhile(_ bytes: [UInt8]) -> [UInt8]? {
        compress(bytes, limitBytes: bytes.count * (100 - savingPercent) / 100)
    }

    /// Nil: broken, or not exactly `length` bytes.
    package static func decompress(_ bytes: [UInt8], length: Int) -> [UInt8]? {
        var status = Z_OK
        let plain = unsafe [UInt8](unsafeUninitializedCapacity: length) { target, count in
            var produced = uLongf(length)
            status = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe uncompress(target.baseAddress, &produced, source.baseAddress, uLong(source.count))
            }
            count = status == Z_OK ? Int(produced) : 0
        }
        return status == Z_OK && plain.count == length ? plain : nil
    }

    /// CRC-32 of zlib, PNG and gzip.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: unsafe crc32_z(0, buffer.baseAddress, buffer.count))
        }
    }

    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: unsafe crc32_z(0, buffer.baseAddress, buffer.count))
        }
    }
}
