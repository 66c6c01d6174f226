import Testing
import ThumbwheelCore

@Suite struct XXHash64Tests {
    // From the reference implementation (libxxhash 0.8.1, seed 0).
    @Test(
        "digests are those of the reference implementation",
        arguments: [
            (0, 0xEF46_DB37_51D8_E999), (1, 0xE934_A84A_DB05_2768), (3, 0xE5C7_BB45_33BC_65DD),
            (4, 0xFFCE_D860_4453_CC1E),
            (8, 0x884A_1736_14B8_1B8D), (31, 0xC346_D2B5_9B4D_8EE1), (32, 0xCBF5_9C51_16FF_32B4),
            (100, 0x6AC1_E580_3216_6597),
        ] as [(Int, UInt64)])
    func reference(count: Int, digest: UInt64) {
        #expect(XXHash64.digest((0..<count).map { UInt8(truncatingIfNeeded: $0) }) == digest)
    }
}
