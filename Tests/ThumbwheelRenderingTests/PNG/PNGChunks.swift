import CISAL

/// Chunks for PNG files (W3C PNG, 5.3).
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ kind: String, _ payload: [UInt8], isIntact: Bool = true) -> [UInt8] {
        let body = [UInt8](kind.utf8) + payload
        return Profiles.big(payload.count, 4) + body + Profiles.big(crc(body) ^ (isIntact ? 0 : 1), 4)
    }

    /// Where the chunks of a sound file begin, and where it ends.
    static func places(in file: [UInt8]) -> [Int] {
        var places = [8]
        while let start = places.last, start < file.count {
            places.append(start + 12 + file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) })
        }
        return places
    }

    /// A file with one more chunk behind its header.
    static func inserting(
        _ kind: String, _ payload: [UInt8], into file: [UInt8], isIntact: Bool = true
    ) -> [UInt8] {
        Array(file[..<33]) + chunk(kind, payload, isIntact: isIntact) + Array(file[33...])
    }

    /// An `iCCP` chunk's payload.
    static func profile(_ profile: [UInt8]) -> [UInt8] { [UInt8]("icc\0\0".utf8) + stored(profile) }

    /// A zlib stream of stored blocks (RFC 1950, 1951).
    static func stored(_ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: max(1, data.count), by: 65_535) {
            let block = data[start..<min(start + 65_535, data.count)]
            bytes.append(block.endIndex == data.count ? 1 : 0)
            bytes += BMPTests.little(block.count, 2) + BMPTests.little(~block.count, 2) + block
        }
        var (low, high) = (1, 0)
        for byte in data {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return bytes + Profiles.big(high << 16 | low, 4)
    }

    /// The same data, compressed.
    static func compressed(_ data: [UInt8]) -> [UInt8] {
        let stream = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<isal_zstream>.size, alignment: 64)
            .assumingMemoryBound(to: isal_zstream.self)
        defer { UnsafeMutableRawPointer(stream).deallocate() }
        isal_deflate_stateless_init(stream)
        stream.pointee.gzip_flag = UInt16(IGZIP_ZLIB)
        stream.pointee.end_of_stream = 1
        return [UInt8](unsafeUninitializedCapacity: data.count * 2 + 1024) { target, count in
            data.withUnsafeBufferPointer { data in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: data.baseAddress)
                stream.pointee.avail_in = UInt32(data.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                precondition(isal_deflate_stateless(stream) == COMP_OK)
            }
            count = target.count - Int(stream.pointee.avail_out)
        }
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
