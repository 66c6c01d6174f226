/// A digest of bytes, in 128 bits: the first half of their SHA-256 digest (FIPS 180-4).
///
/// The digest is the same in every run and on every platform. Names and bytes may come from people who upload files, so
/// it must be impossible to find other bytes with the same digest.
package struct NameDigest: Hashable, Sendable {
    package let value: UInt128

    package init(_ name: String) {
        self.init(SHA256Hash.bytes(of: Array(name.utf8)))
    }

    /// Makes the digest of a photograph in memory together with its name. Name and photograph are hashed separately,
    /// and the two hashes are then hashed together. Otherwise, bytes at the end of the name could be moved to the
    /// photograph without changing the digest.
    package init(_ name: String, _ bytes: [UInt8]) {
        self.init(SHA256Hash.bytes(of: SHA256Hash.bytes(of: Array(name.utf8)) + SHA256Hash.bytes(of: bytes)))
    }

    private init(_ hash: [UInt8]) {
        value = hash.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }
}
