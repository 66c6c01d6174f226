import FixtureKit
import Testing

@Suite("ICCProfile")
struct ICCProfileTests {
    private static let spaces = [RGBSpace.sRGB, .displayP3, .adobeRGB]

    @Test("the header tells the size, and every tag lies inside", arguments: spaces, ICCProfile.Version.allCases)
    func structure(space: RGBSpace, version: ICCProfile.Version) {
        let profile = ICCProfile(space, version: version).bytes
        #expect(number(profile, at: 0) == profile.count)
        #expect(text(profile, 36, 4) == "acsp")
        #expect(text(profile, 12, 8) == "mntrRGB ")
        #expect(profile[8] == (version == .two ? 2 : 4))
        for tag in tags(of: profile).values {
            #expect(tag.isMultiple(of: 4))
            #expect(tag + 8 <= profile.count)
        }
    }

    @Test("the description holds the name", arguments: spaces)
    func name(space: RGBSpace) throws {
        let two = ICCProfile(space, version: .two).bytes
        let ascii = try #require(tags(of: two)["desc"])
        #expect(text(two, ascii + 12, number(two, at: ascii + 8) - 1) == space.name)

        let four = ICCProfile(space, version: .four).bytes
        let unicode = try #require(tags(of: four)["desc"])
        #expect(text(four, unicode, 4) == "mluc")
        let units = (0..<space.name.utf16.count).map { four[unicode + 28 + 2 * $0 + 1] }
        #expect(String(decoding: units, as: UTF8.self) == space.name)
    }

    @Test("the primaries add up to D50", arguments: spaces)
    func white(space: RGBSpace) throws {
        let profile = ICCProfile(space, version: .four).bytes
        let tags = tags(of: profile)
        let columns = try ["rXYZ", "gXYZ", "bXYZ"].map { try #require(tags[$0]) }
        for (row, white) in [0.9642, 1, 0.8249].enumerated() {
            let sum = columns.map { number(profile, at: $0 + 8 + 4 * row) }.map(Int32.init(truncatingIfNeeded:))
                .reduce(0, +)
            #expect(abs(Double(sum) / 65536 - white) < 0.0002)
        }
    }

    private func tags(of profile: [UInt8]) -> [String: Int] {
        let entries = stride(from: 132, to: 132 + 12 * number(profile, at: 128), by: 12)
        return Dictionary(uniqueKeysWithValues: entries.map { (text(profile, $0, 4), number(profile, at: $0 + 4)) })
    }

    private func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func text(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> String {
        String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }
}
