import Foundation

/// A library's file taken apart into its blocks, so that a fuzzer can change what they say and not only what their checksums
/// notice.
struct LibraryFile {
    private static let headerByteCount = 72
    private static let entryByteCount = 16

    /// All of the header that is before the number of chunks.
    private let start: [UInt8]
    var blocks: [[UInt8]]

    /// Nil where lengths and table do not fit together.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerByteCount else { return nil }
        start = Array(bytes[..<36])
        guard let table = Int(exactly: Self.word(bytes, at: 44)), Self.headerByteCount...bytes.count ~= table,
            (bytes.count - table) % Self.entryByteCount == 0
        else { return nil }
        blocks = []
        var offset = Self.headerByteCount
        for entry in stride(from: table, to: bytes.count, by: Self.entryByteCount) {
            guard let count = Int(exactly: Self.word(bytes, at: entry)), 0...table - offset ~= count else { return nil }
            blocks.append(Array(bytes[offset..<offset + count]))
            offset += count
        }
        guard offset == table, blocks.count >= 2 else { return nil }
    }

    private static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }

    /// The file with all checksums right.
    var bytes: [UInt8] {
        var table: [UInt8] = []
        for block in blocks {
            Self.append(UInt64(block.count), to: &table)
            Self.append(Checksum.xxh64(block), to: &table)
        }
        let tableOffset = Self.headerByteCount + blocks.reduce(0) { $0 + $1.count }
        var header = start
        Self.append(UInt64(blocks.count - 2), to: &header)
        Self.append(UInt64(tableOffset), to: &header)
        Self.append(UInt64(tableOffset + table.count), to: &header)
        Self.append(Checksum.xxh64(table), to: &header)
        Self.append(UInt32(truncatingIfNeeded: Checksum.xxh64(header)), to: &header)
        return header + blocks.flatMap(\.self) + table
    }

    /// Mends the header's checksum alone, for what else is in it.
    static func sealHeader(_ bytes: inout [UInt8]) {
        guard bytes.count >= headerByteCount else { return }
        var digest: [UInt8] = []
        append(UInt32(truncatingIfNeeded: Checksum.xxh64(Array(bytes[..<(headerByteCount - 4)]))), to: &digest)
        bytes.replaceSubrange(headerByteCount - 4..<headerByteCount, with: digest)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}

/// XXH64 with seed 0 (Y. Collet, "xxHash fast digest algorithm", 0.1.1), in the plainest form: the library's own is not public.
enum Checksum {
    private static let primes: [UInt64] = [
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5,
    ]

    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* primes[1], 31) &* primes[0]
    }

    static func xxh64(_ bytes: [UInt8]) -> UInt64 {
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        var offset = 0
        var hash = primes[4]
        if bytes.count >= 32 {
            var lanes = [primes[0] &+ primes[1], primes[1], 0, 0 &- primes[0]]
            while bytes.count - offset >= 32 {
                for lane in 0..<4 { lanes[lane] = round(lanes[lane], number(offset + 8 * lane, 8)) }
                offset += 32
            }
            hash = rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12) &+ rotate(lanes[3], 18)
            for lane in lanes { hash = (hash ^ round(0, lane)) &* primes[0] &+ primes[3] }
        }
        hash &+= UInt64(bytes.count)
        while bytes.count - offset >= 8 {
            hash = rotate(hash ^ round(0, number(offset, 8)), 27) &* primes[0] &+ primes[3]
            offset += 8
        }
        if bytes.count - offset >= 4 {
            hash = rotate(hash ^ number(offset, 4) &* primes[0], 23) &* primes[1] &+ primes[2]
            offset += 4
        }
        while offset < bytes.count {
            hash = rotate(hash ^ number(offset, 1) &* primes[4], 11) &* primes[0]
            offset += 1
        }
        hash = (hash ^ hash >> 33) &* primes[1]
        hash = (hash ^ hash >> 29) &* primes[2]
        return hash ^ hash >> 32
    }
}
