import Testing
import ThumbwheelCore

/// Golden numbers: the first two rows as published for SplitMix64, the others from an implementation in Python.
@Suite struct SeededGeneratorTests {
    @Test(
        "the bits are those of SplitMix64",
        arguments: [
            0: [
                0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC,
                0x1B39_896A_51A8_749B,
            ],
            1_234_567: [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ],
            .max: [
                0xE4D9_7177_1B65_2C20, 0xE99F_F867_DBF6_82C9, 0x382F_F84C_B272_81E9, 0x6D1D_B36C_CBA9_82D2,
                0xB4A0_472E_5780_69AE,
            ],
        ] as [UInt64: [UInt64]])
    func bits(seed: UInt64, expected: [UInt64]) {
        var random = SeededGenerator(seed: seed)
        #expect((0..<5).map { _ in random.next() } == expected)
    }

    @Test("indices and fractions come the same way from the bits, on every machine")
    func derivedNumbers() {
        var random = SeededGenerator(seed: 42)
        #expect((0..<16).map { _ in random.index(below: 10) } == [7, 1, 2, 3, 0, 8, 2, 8, 3, 6, 2, 4, 5, 5, 6, 2])
        random = SeededGenerator(seed: 42)
        #expect((0..<3).map { _ in random.unit() } == [0.7415648787718233, 0.1599103928769201, 0.27860113025513866])
    }

    @Test("numbers keep to their bounds")
    func bounds() {
        var random = SeededGenerator(seed: 3)
        for bound in [1, 2, 3, 1000, Int.max] {
            for _ in 0..<1000 { #expect((0..<bound).contains(random.index(below: bound))) }
        }
        for _ in 0..<1000 {
            #expect((0..<1).contains(random.unit()))
            #expect((-3...7).contains(random.value(in: -3...7)))
            #expect(random.value(in: 5...5) == 5)
        }
    }
}
