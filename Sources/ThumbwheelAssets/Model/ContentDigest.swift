import ThumbwheelCore

#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

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
        let hasher = Hasher256()
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

#if canImport(CryptoKit)
/// A SHA-256 digest that is computed piece by piece.
private final class Hasher256 {
    private var hash = SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    func finish() -> [UInt8] { Array(hash.finalize()) }
}
#else
/// A SHA-256 digest that is computed piece by piece.
private final class Hasher256 {
    private let context: OpaquePointer

    init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto without SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        let isDone = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        precondition(isDone, "libcrypto without SHA-256")
    }

    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { hash, count in
            let isDone = EVP_DigestFinal_ex(context, hash.baseAddress, nil) == 1
            precondition(isDone, "libcrypto without SHA-256")
            count = 32
        }
    }
}
#endif
