/// 128 bits that stand for a run of bytes: FNV-1a (draft-eastlake-fnv). The same in every run and on every machine,
/// which Swift's own hashing is not.
package struct NameDigest: Hashable, Sendable {
    package private(set) var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt128(byte)) &* Self.prime }
    }

    package init(_ name: String) {
        combine(name.utf8)
    }
}
