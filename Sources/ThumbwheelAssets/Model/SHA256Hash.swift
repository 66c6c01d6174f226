#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// A SHA-256 hash (FIPS 180-4) that is computed piece by piece.
final class SHA256Hash {
    #if canImport(CryptoKit)
    private var state = SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

    /// Returns the 32 bytes of the hash. It is called once, after all updates.
    func finish() -> [UInt8] { Array(state.finalize()) }
    #else
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

    /// Returns the 32 bytes of the hash. It is called once, after all updates.
    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { hash, count in
            let isDone = EVP_DigestFinal_ex(context, hash.baseAddress, nil) == 1
            precondition(isDone, "libcrypto without SHA-256")
            count = 32
        }
    }
    #endif

    /// Returns the hash of bytes in memory.
    static func bytes(of bytes: [UInt8]) -> [UInt8] {
        let hash = SHA256Hash()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }
}
