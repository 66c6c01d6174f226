import ThumbwheelCore

/// A digest of all bytes of a file, in 128 bits: the first half of their SHA-256 digest (FIPS 180-4). It is the same on
/// every machine. Nobody can find other bytes with the same digest.
struct ContentDigest: Hashable, Sendable, BitwiseCopyable {
    let high: UInt64
    let low: UInt64

    /// The number of bytes that are read at a time.
    private static let pieceByteCount = 256 << 10

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Computes the digest of all bytes of a source. The time is linear in the number of bytes; only `pieceByteCount`
    /// bytes are in memory at a time.
    ///
    /// - Throws: the error of the source; `.network(.cancelled)` if the token was cancelled.
    init(of source: some ByteSource, token: CancellationToken) throws(ByteSourceError) {
        let hasher = SHA256Hash()
        var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
        var offset = 0
        while offset < source.byteCount {
            guard !token.isCancelled else { throw .network(.cancelled) }
            var result = Result<Int, ByteSourceError>.success(0)
            piece.withUnsafeMutableBytes { buffer in
                result = Result { () throws(ByteSourceError) in try source.read(into: buffer, at: offset) }
            }
            let count = try result.get()
            if count <= 0 { break }
            piece.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
        }
        let hash = hasher.finish()
        func word(_ start: Int) -> UInt64 { hash[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0), low: word(8))
    }
}
