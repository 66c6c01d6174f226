import ThumbwheelCore

#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// A digest of all bytes of a file in 128 bits: the first half of their SHA-256 (FIPS 180-4). It is the same on every
/// machine, and finding other bytes with the same digest is infeasible.
struct ContentDigest: Hashable, Sendable, BitwiseCopyable {
    let high: UInt64
    let low: UInt64

    /// The number of bytes that are in memory at a time while a file is digested.
    private static let pieceByteCount = 256 << 10

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads a source to its end. Takes time linear in its length, and memory of one piece.
    ///
    /// - Throws: the error of the source, or `.network(.cancelled)` between two pieces.
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
/// A running SHA-256.
private final class Hasher256 {
    private var hash = SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    func finish() -> [UInt8] { Array(hash.finalize()) }
}
#else
/// A running SHA-256.
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
