/// Chunks for PNG files (W3C PNG, 5.3), whose pixels come from elsewhere.
enum PNGChunks {
    /// A file with one more chunk behind its header.
    static func inserting(_ kind: String, _ payload: [UInt8], into file: [UInt8]) -> [UInt8] {
        let body = [UInt8](kind.utf8) + payload
        let chunk = Profiles.big(payload.count, 4) + body + Profiles.big(crc(body), 4)
        return Array(file[..<33]) + chunk + Array(file[33...])
    }

    /// An `iCCP` chunk's payload, in stored blocks (RFC 1950, 1951).
    static func profile(_ profile: [UInt8]) -> [UInt8] {
        var bytes = [UInt8]("icc\0\0".utf8) + [0x78, 0x01]
        for start in stride(from: 0, to: profile.count, by: 65_535) {
            let block = profile[start..<min(start + 65_535, profile.count)]
            bytes.append(block.endIndex == profile.count ? 1 : 0)
            bytes += BMPTests.little(block.count, 2) + BMPTests.little(~block.count, 2) + block
        }
        var (low, high) = (1, 0)
        for byte in profile {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return bytes + Profiles.big(high << 16 | low, 4)
    }

    private static func crc(_ bytes: [UInt8]) -> Int {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~sum)
    }
}
