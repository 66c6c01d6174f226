/// A digest of bytes, in 128 bits, by the hash function FNV-1a (draft-eastlake-fnv). Anybody can find other bytes with
/// the same digest.
///
/// The identifiers of computed collections are such digests. This is safe, because only this software chooses the names
/// from which they are computed. Older releases also used these digests as identifiers of assets, and library files may
/// still contain some. An equal identifier of this kind does not prove that the bytes are equal, so the bytes must be
/// compared too.
struct FNV1aDigest {
    private(set) var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt128(byte)) &* Self.prime }
    }

    init(_ name: String) {
        combine(name.utf8)
    }
}
