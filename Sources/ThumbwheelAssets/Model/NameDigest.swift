#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// A digest of bytes in 128 bits: the first half of their SHA-256 (FIPS 180-4).
///
/// The digest is the same in every run and on every platform. Names and bytes come from uploaders, so finding other bytes
/// with the same digest must be infeasible.
package struct NameDigest: Hashable, Sendable {
    package let value: UInt128

    package init(_ name: String) {
        self.init(Self.hash(of: Array(name.utf8)))
    }

    /// Digests a photograph in memory together with its name. The name and the photograph are hashed separately, and
    /// the two hashes are hashed together. So no byte of the name can be taken for a byte of the photograph.
    package init(_ name: String, _ bytes: [UInt8]) {
        self.init(Self.hash(of: Self.hash(of: Array(name.utf8)) + Self.hash(of: bytes)))
    }

    private init(_ hash: [UInt8]) {
        value = hash.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static let hashByteCount = 32

    private static func hash(of bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        return Array(SHA256.hash(data: bytes))
        #else
        return [UInt8](unsafeUninitializedCapacity: hashByteCount) { hash, count in
            let isDone = SHA256(bytes, bytes.count, hash.baseAddress) != nil
            precondition(isDone, "libcrypto without SHA-256")
            count = hashByteCount
        }
        #endif
    }
}
