import Testing
import ThumbwheelFormats

@Suite struct ICCProfileTests {
    private func profile(_ bytes: [UInt8]) throws -> EmbeddedProfile? {
        let segment = JPEGBytes.segment(0xE2, .text("ICC_PROFILE\0") + [1, 1] + bytes)
        return try head(JPEGBytes.start + segment + JPEGBytes.frame(1, 1)).profile
    }

    @Test("a name in version 2's text description")
    func versionTwo() throws {
        let expected = EmbeddedProfile(name: "Grey Gamma 2.2", colorSpace: "GRAY")
        #expect(try profile(ICCBytes.versionTwo(name: "Grey Gamma 2.2", colorSpace: "GRAY"))?.withoutSize == expected)
    }

    @Test("the English one of version 4's localized names")
    func versionFour() throws {
        let bytes = ICCBytes.versionFour(names: [("de", "Anzeige P3 für alle"), ("en", "Display P3")])
        #expect(try profile(bytes)?.withoutSize == EmbeddedProfile(name: "Display P3", colorSpace: "RGB"))
    }

    @Test("the first name where none is English")
    func noEnglishName() throws {
        let bytes = ICCBytes.versionFour(names: [("de", "Anzeige für alle"), ("fr", "Écran")], colorSpace: "CMYK")
        #expect(try profile(bytes)?.withoutSize == EmbeddedProfile(name: "Anzeige für alle", colorSpace: "CMYK"))
    }

    @Test("a profile cut inside its name keeps its colour space; one cut inside its header is none")
    func cut() throws {
        let bytes = ICCBytes.versionTwo(name: "A long enough name")
        #expect(try profile([UInt8](bytes.dropLast(8)))?.withoutSize == EmbeddedProfile(name: nil, colorSpace: "RGB"))
        #expect(try profile([UInt8](bytes.prefix(30))) == nil)
    }
}
