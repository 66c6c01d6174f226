import ThumbwheelCaching
import ThumbwheelCore

/// A value as Redis keeps it.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | the version of this layout |
/// | 1 | whether the value is a note that something cannot be made |
/// | 4 | the time that making it took, in microseconds, little-endian |
/// | 8 | a checksum of the key, of the fields above and of the bytes, little-endian |
/// | the rest | the bytes |
enum RedisValue {
    private static let version: UInt8 = 1
    static let headByteCount = 14

    static func bytes(of value: StoredValue, for key: SharedKey) -> [UInt8] {
        var head = [version, value.isNegative ? 1 : 0]
        withUnsafeBytes(of: value.cost.littleEndian) { head += $0 }
        let sum = checksum(of: value.bytes[...], after: head, for: key)
        withUnsafeBytes(of: sum.littleEndian) { head += $0 }
        return head + value.bytes
    }

    /// - Returns: nil if the bytes are damaged, or are the value of another key.
    static func value(in bytes: [UInt8], for key: SharedKey) -> StoredValue? {
        guard bytes.count >= headByteCount, bytes[0] == version, bytes[1] <= 1 else { return nil }
        let sum = bytes[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let rest = bytes[headByteCount...]
        guard sum == checksum(of: rest, after: Array(bytes[..<6]), for: key) else { return nil }
        let cost = bytes[2..<6].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return StoredValue(Array(rest), cost: cost, isNegative: bytes[1] == 1)
    }

    private static func checksum(of bytes: ArraySlice<UInt8>, after head: [UInt8], for key: SharedKey) -> UInt64 {
        let content = XXHash64.digest(bytes)
        var all = head
        for word in [key.group, key.key.high, key.key.low, content] {
            withUnsafeBytes(of: word.littleEndian) { all += $0 }
        }
        return XXHash64.digest(all)
    }
}
