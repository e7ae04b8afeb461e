extension Array where Element == UInt8 {
    /// Appends borrowed bytes with one copy. The standard library (6.3) has no such call for spans; a loop over
    /// elements is several times slower, and every payload passes here.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// An owned copy of borrowed bytes.
    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension String {
    /// Nil: the bytes are not UTF-8.
    package init?(validating bytes: Span<UInt8>) {
        let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) }
        guard let text else { return nil }
        self = text
    }
}

extension Span where Element == UInt8 {
    /// Bytes for bytes the same. Takes longer the longer the common prefix is: not for secrets.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { two in
                var offset = 0
                while offset + 8 <= one.count {
                    // SAFETY: both have `one.count` bytes, and eight of them follow.
                    let left = unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    let right = unsafe two.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    guard left == right else { return false }
                    offset += 8
                }
                // The last bytes with some that were looked at before, or one by one where there are no eight.
                if offset >= 8 {
                    // SAFETY: as above.
                    let left = unsafe one.loadUnaligned(fromByteOffset: one.count - 8, as: UInt64.self)
                    return unsafe left == two.loadUnaligned(fromByteOffset: one.count - 8, as: UInt64.self)
                }
                while offset < one.count {
                    guard unsafe one[offset] == two[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }

    /// The big-endian unsigned integer of `width` bytes at `offset`, which the caller has checked to be there.
    package func bigEndian(at offset: Int, width: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<offset + width { value = value << 8 | UInt64(self[index]) }
        return value
    }
}
