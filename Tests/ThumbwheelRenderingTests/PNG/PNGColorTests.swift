import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// W3C PNG, third edition, 4.3: cICP before iCCP, before sRGB, before gAMA and cHRM.
@Suite("PNG: colours that chunks state")
struct PNGColorTests {
    private static let sRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    private static let adobe = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000]

    private static func chromaticities(_ numbers: [Int]) -> (String, [UInt8]) {
        ("cHRM", numbers.flatMap { Profiles.big($0, 4) })
    }

    private static func gamma(_ value: Int) -> (String, [UInt8]) { ("gAMA", Profiles.big(value, 4)) }

    /// The first pixel of a picture of one colour with such chunks.
    private static func color(_ chunks: (String, [UInt8])..., color: [Int] = [55, 120, 200]) throws -> [Int] {
        var file = PNGFile(width: 4, height: 4)
        file.sample = { _, _, channel in color[channel] }
        let bytes = chunks.reversed().reduce(file.encoded()) { PNGChunks.inserting($1.0, $1.1, into: $0) }
        let image = try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        return Pictures.samples(image.bitmap).prefix(3).map(Int.init)
    }

    private static func isNear(_ one: [Int], _ other: [Int]) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) <= 1 }
    }

    /// By the definition: a power, then sRGB's curve.
    private static func power(_ exponent: Double) -> [Int] {
        [55, 120, 200].map { Int(CodedColorTests.encoded(pow(Double($0) / 255, exponent)).rounded()) }
    }

    @Test(
        "sRGB's gamma, with its chromaticities or without, changes nothing; nor do chromaticities alone, if they are sRGB's"
    )
    func usual() throws {
        let plain = [55, 120, 200]
        #expect(try Self.color() == plain)
        #expect(try Self.color(Self.gamma(45_455)) == plain)
        #expect(try Self.color(Self.gamma(45_455), Self.chromaticities(Self.sRGB)) == plain)
        #expect(try Self.color(Self.chromaticities(Self.sRGB.map { $0 + 1 })) == plain)
    }

    @Test("another gamma alone goes with sRGB's primaries, other chromaticities alone with its curve")
    func alone() throws {
        #expect(Self.isNear(try Self.color(Self.gamma(100_000)), Self.power(1)))
        #expect(Self.isNear(try Self.color(Self.gamma(55_556)), Self.power(1.8)))
        let wide = try Self.color(Self.chromaticities(Self.adobe))
        #expect(wide[0] < 45 && wide[1] >= 119 && wide[2] >= 200)
    }

    @Test("Adobe RGB by numbers is Adobe RGB by a profile")
    func adobe() throws {
        let numbers = try Self.color(Self.gamma(45_470), Self.chromaticities(Self.adobe))
        let profile = ("iCCP", PNGChunks.profile(Profiles.rgb(.gamma(563.0 / 256), .adobeRGB)))
        #expect(Self.isNear(numbers, try Self.color(profile)))
        #expect(Self.isNear(try Self.color(Self.chromaticities(Self.adobe), color: [200, 200, 200]), [200, 200, 200]))
    }

    @Test("what stands higher counts alone")
    func precedence() throws {
        let plain = [55, 120, 200]
        let linear = Self.gamma(100_000)
        let sRGB = ("sRGB", [UInt8(0)])
        let profile = ("iCCP", PNGChunks.profile(Profiles.rgb(.gamma(1.8), .sRGB)))
        #expect(try Self.color(linear, sRGB) == plain)
        #expect(Self.isNear(try Self.color(linear, profile), Self.power(1.8)))
        #expect(Self.isNear(try Self.color(sRGB, profile), Self.power(1.8)))
        #expect(try Self.color(("cICP", [1, 13, 0, 1]), profile, linear) == plain)
        #expect(Self.isNear(try Self.color(("cICP", [1, 8, 0, 1]), profile, Self.gamma(55_556), sRGB), Self.power(1)))
        // Codes that mean nothing leave it to the next.
        #expect(Self.isNear(try Self.color(("cICP", [99, 13, 0, 1]), linear), Self.power(1)))
    }

    @Test("what makes no sense, or is damaged, does not count")
    func nonsense() throws {
        let plain = [55, 120, 200]
        for value in [0, 1, 9999, 1_000_001, 0xFFFF_FFFF] { #expect(try Self.color(Self.gamma(value)) == plain) }
        #expect(try Self.color(("gAMA", [1, 2, 3])) == plain)
        for place in 0..<8 {
            var numbers = Self.adobe
            numbers[place] = place % 2 == 0 ? 900_000 : 0
            #expect(try Self.color(Self.chromaticities(numbers)) == plain)
        }
        #expect(try Self.color(Self.chromaticities(Array(repeating: 33_000, count: 8))) == plain)
        var file = PNGFile(width: 4, height: 4)
        file.sample = { _, _, _ in 55 }
        let bytes = PNGChunks.inserting("gAMA", Profiles.big(100_000, 4), into: file.encoded(), isIntact: false)
        let image = try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        #expect(Pictures.samples(image.bitmap).allSatisfy { $0 == 55 })
    }
}
