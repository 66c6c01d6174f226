#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// A digest of bytes, in 128 bits: the first half of their SHA-256 digest (FIPS 180-4).
///
/// The digest is the same in every run and on every platform. Names and bytes may come from people who upload files, so
/// it must be impossible to find other bytes with the same digest.
package struct NameDigest: Hashable, Sendable {
    package let value: UInt128

    package init(_ name: String) {
        self.init(Self.hash(of: Array(name.utf8)))
    }

    /// Makes the digest of a photograph in memory together with its name. Name and photograph are hashed separately,
    /// and the two hashes are then hashed together. Otherwise, bytes at the end of the name could be moved to the
    /// photograph without changing the digest.
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
