/// A digest of bytes in 128 bits by FNV-1a (draft-eastlake-fnv). Anybody can find other bytes with the same digest.
///
/// Identifiers of computed collections are derived with it, which is safe because the library itself chooses their
/// names. Older versions also derived asset identifiers with it, and a saved library may still have these. Code that
/// matches such an identifier must compare the bytes as well.
struct FormerDigest {
    private(set) var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt128(byte)) &* Self.prime }
    }

    init(_ name: String) {
        combine(name.utf8)
    }
}
