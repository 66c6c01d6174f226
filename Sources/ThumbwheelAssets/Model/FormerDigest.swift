/// 128 bits of a run of bytes by FNV-1a (draft-eastlake-fnv), for which anybody can make other bytes.
///
/// Identifiers of computed collections follow from it, whose names are the library's own, and so did those of assets once:
/// a saved library may have them still, so what claims one of these must show the same bytes.
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
