/// The slots of a Redis cluster, each of which belongs to one of its servers (Redis Cluster Specification, "Key
/// distribution model").
enum RedisSlot {
    static let count = 16_384

    /// The slot of a key. Of a key with a tag in braces, only the tag counts, so that keys with one tag lie together.
    static func number(of key: [UInt8]) -> Int {
        if let open = key.firstIndex(of: UInt8(ascii: "{")) {
            let rest = key[(open + 1)...]
            if let end = rest.firstIndex(of: UInt8(ascii: "}")), end > open + 1 {
                return checksum(of: key[(open + 1)..<end]) % count
            }
        }
        return checksum(of: key[...]) % count
    }

    /// CRC16 as XMODEM has it: polynomial 0x1021, no reflection, beginning with 0.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> Int {
        var value: UInt16 = 0
        for byte in bytes {
            value ^= UInt16(byte) << 8
            for _ in 0..<8 { value = value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
        return Int(value)
    }
}
