#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// 128 bits that stand for a run of bytes: the first half of their SHA-256 (FIPS 180-4). The same in every run and on every
/// machine, and nobody can make other bytes for it: names and bytes are the uploaders'.
package struct NameDigest: Hashable, Sendable {
    package let value: UInt128

    package init(_ name: String) {
        self.init(Self.hash(of: Array(name.utf8)))
    }

    /// Of a photograph in memory and its name. Hashes of both are what is hashed, so that no byte of one passes for the other's.
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
