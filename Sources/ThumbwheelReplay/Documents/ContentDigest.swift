import Thumbwheel

/// A digest by FNV-1a over 64 bits (Fowler, Noll and Vo). It tells sets of photographs apart, but does not protect against
/// anybody who makes two sets with the same digest.
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
