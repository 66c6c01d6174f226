/// 128 bits of a run of bytes by FNV-1a (draft-eastlake-fnv). Anybody can find other bytes with the same digest.
///
/// Identifiers of computed collections follow from it, whose names are the library's own. Identifiers of assets once
/// did, too, and a saved library may still have them: code that matches one must compare the bytes as well.
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
