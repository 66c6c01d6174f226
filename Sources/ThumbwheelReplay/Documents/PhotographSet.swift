import Thumbwheel

/// Which photographs a result was made from, by what is in them and not by what they are called.
public struct PhotographSet: Encodable, Sendable, Equatable {
    public var count: Int
    public var bytes: Int
    /// FNV-1a, 64 bits, in hexadecimal digits, over the contents in the order of their use.
    public var contentHash: String

    /// Reads all of `sources`, one after another.
    public init(reading sources: some Sequence<any ByteSource>) throws(ByteSourceError) {
        var digest = ContentDigest()
        count = 0
        bytes = 0
        for source in sources {
            try digest.append(source)
            count += 1
            bytes += source.byteCount
        }
        let digits = String(digest.value, radix: 16)
        contentHash = String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// FNV-1a over 64 bits (Fowler, Noll and Vo): quick, and good enough to tell sets of photographs apart; no protection
/// against somebody who wants two to look the same.
struct ContentDigest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func append(_ source: any ByteSource) throws(ByteSourceError) {
        let chunk = 1 << 20
        var offset = 0
        while offset < source.byteCount {
            let bytes = try source.bytes(in: offset..<min(source.byteCount, offset + chunk))
            guard !bytes.isEmpty else { return }
            bytes.withUnsafeBytes { buffer in
                for byte in buffer { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            offset += bytes.count
        }
    }
}
