/// A checksum of bytes: XXH64 with the seed 0 (Y. Collet, "xxHash fast digest algorithm", 0.1.1). It processes 32 bytes
/// at a time, as four independent words. So it is as fast as memory can be read, unlike a cyclic redundancy check with
/// tables.
package struct XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    package static func digest(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { digest($0) }
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word &<< count | word &>> (64 &- count) }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* primes.1, 31) &* primes.0
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var offset = 0
        var hash = primes.4
        if bytes.count >= 32 {
            var (one, two, three, four) = (primes.0 &+ primes.1, primes.1, UInt64(0), 0 &- primes.0)
            while bytes.count - offset >= 32 {
                one = round(one, word(offset))
                two = round(two, word(offset + 8))
                three = round(three, word(offset + 16))
                four = round(four, word(offset + 24))
                offset += 32
            }
            hash = rotate(one, 1) &+ rotate(two, 7) &+ rotate(three, 12) &+ rotate(four, 18)
            for lane in [one, two, three, four] { hash = (hash ^ round(0, lane)) &* primes.0 &+ primes.3 }
        }
        hash &+= UInt64(bytes.count)
        while bytes.count - offset >= 8 {
            hash = rotate(hash ^ round(0, word(offset)), 27) &* primes.0 &+ primes.3
            offset += 8
        }
        if bytes.count - offset >= 4 {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotate(hash ^ UInt64(half) &* primes.0, 23) &* primes.1 &+ primes.2
            offset += 4
        }
        while offset < bytes.count {
            hash = rotate(hash ^ UInt64(bytes[offset]) &* primes.4, 11) &* primes.0
            offset += 1
        }
        hash = (hash ^ hash &>> 33) &* primes.1
        hash = (hash ^ hash &>> 29) &* primes.2
        return hash ^ hash &>> 32
    }
}
