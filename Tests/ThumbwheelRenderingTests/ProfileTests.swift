import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Embedded profiles")
struct ProfileTests {
    /// sRGB's curve as a table of `count` points.
    private static func table(_ count: Int) -> Profiles.Curve {
        .table((0..<count).map { Int((CodedColorTests.sRGB(Double($0) / Double(count - 1)) * 65535).rounded()) })
    }

    @Test("sRGB profiles are recognised by their effect, in all common forms")
    func sRGB() throws {
        let parametric = Profiles.Curve.parametric(3, ColorTransformTests.sRGBCurve)
        let forms: [[UInt8]] =
            [parametric, Self.table(1024), Self.table(4096), Self.table(256), Self.table(182), Self.table(64)].map {
                Profiles.rgb($0, .sRGB)
            } + [ICCProfile(.sRGB, version: .two).bytes, ICCProfile(.sRGB, version: .four).bytes]
        for profile in forms { #expect(try #require(ColorTransform(profile: profile)).isSRGB) }
        // The colorants of the profile that most cameras and editors embed, with other rounding.
        let hewlettPackard = Matrix3(rows: [
            SIMD3(0.43607, 0.38515, 0.14307), SIMD3(0.22249, 0.71687, 0.06061), SIMD3(0.01392, 0.09708, 0.71410),
        ])
        #expect(try #require(ColorTransform(profile: Profiles.rgb(Self.table(1024), hewlettPackard))).isSRGB)
        #expect(try #require(ColorTransform(profile: Profiles.grey(parametric))).isSRGB)
    }

    @Test("other profiles are not taken for sRGB")
    func others() throws {
        let others = [
            Profiles.rgb(.gamma(1), .sRGB), Profiles.rgb(.gamma(2.2), .sRGB), Profiles.rgb(.gamma(1.8), .sRGB),
            Profiles.rgb(.parametric(3, ColorTransformTests.sRGBCurve), .adobeRGB),
            Profiles.rgb(.parametric(3, ColorTransformTests.sRGBCurve), ColorTransformTests.displayP3),
            Profiles.rgb(.parametric(3, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]), .sRGB),
            Profiles.grey(.gamma(1)),
        ]
        for profile in others { #expect(!(try #require(ColorTransform(profile: profile)).isSRGB)) }
    }

    @Test("a profile's name does not make it sRGB", arguments: ["sRGB linear", "sRGB-elle-V2-g10.icc", "sRGB"])
    func names(name: String) throws {
        let picture = Pictures.bitmap(64, 64) { _, _, _ in 55 }
        let bytes = try Self.jpeg(picture, Profiles.rgb(.gamma(1), .sRGB, name: name))
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        #expect(head.profile?.name == name && !head.isLikelyConverted)
        let size = PixelSize(width: 16, height: 16)
        let samples = Pictures.samples(
            try Renderer().render(MemoryByteSource(bytes), options: RenderOptions(targetSize: size)).bitmap)
        // 128 is the sRGB sample for 55/255 of white's light.
        #expect(samples.allSatisfy { abs(Int($0) - 128) <= 1 })
    }

    @Test("sRGB's own profile leaves every sample as it is")
    func untouched() throws {
        let picture = Pictures.scene(64, 48)
        let options = RenderOptions(targetSize: .maximum)
        let plain = try picture.encoded(as: .jpeg(quality: 95))
        let expected = try Renderer().render(MemoryByteSource(plain), options: options).bitmap
        let bytes = try Self.jpeg(picture, ICCProfile(.sRGB, version: .two).bytes)
        let made = try Renderer().render(MemoryByteSource(bytes), options: options).bitmap
        #expect(Pictures.largestDifference(made, expected) == 0)
    }

    @Test("a PNG's profile of several hundred kilobytes is read, and one of megabytes ignored")
    func large() throws {
        let picture = Pictures.bitmap(16, 16) { _, _, _ in 55 }
        let file = try picture.encoded(as: .png)
        let profile = Profiles.rgb(.gamma(1), .sRGB)
        for (byteCount, expected) in [(450 << 10, 128), (5 << 20, 55)] {
            // A profile states its own length.
            let padding = [UInt8](repeating: 0, count: byteCount - profile.count)
            let padded = Profiles.big(byteCount, 4) + profile[4...] + padding
            let bytes = PNGChunks.inserting("iCCP", PNGChunks.profile(padded), into: file)
            let image = try Renderer().render(
                MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
            #expect(Pictures.samples(image.bitmap).allSatisfy { abs(Int($0) - expected) <= 1 }, "\(byteCount)")
        }
    }

    @Test("of a PNG's profiles the first counts, and a damaged one not at all")
    func second() throws {
        let file = try Pictures.bitmap(16, 16) { _, _, _ in 55 }.encoded(as: .png)
        let (light, same) = (Profiles.rgb(.gamma(1), .sRGB), Profiles.rgb(.gamma(2.2), .sRGB))
        func level(_ bytes: [UInt8]) throws -> Int {
            let options = RenderOptions(targetSize: .maximum)
            return Int(Pictures.samples(try Renderer().render(MemoryByteSource(bytes), options: options).bitmap)[0])
        }
        var bytes = PNGChunks.inserting("iCCP", PNGChunks.profile(same), into: file)
        #expect(abs(try level(bytes) - 55) < 10)
        bytes = PNGChunks.inserting("iCCP", PNGChunks.profile(light), into: bytes)
        #expect(abs(try level(bytes) - 128) <= 1)
        #expect(try level(PNGChunks.inserting("iCCP", PNGChunks.profile(light), into: file, isIntact: false)) == 55)
        let packed = PNGChunks.profile(light)
        for place in [0, 4, 5, 6, 8, packed.count - 1] {
            var damaged = packed
            damaged[place] ^= 0x55
            // A name may be any, and so may the stream's own checksum.
            let expected = place == 0 || place == packed.count - 1 ? 128 : 55
            #expect(abs(try level(PNGChunks.inserting("iCCP", damaged, into: file)) - expected) <= 1, "byte \(place)")
        }
    }

    @Test("a profile beyond all bounds is the stated reason to refuse, if the decoder would read it whole")
    func beyondBounds() throws {
        let bytes = TIFFBytes(pixel: [1, 2, 3], photometric: 2).encoded()
        var head = try ImageHead(reading: MemoryByteSource(bytes))
        head.profile = EmbeddedProfile(name: nil, colorSpace: "", byteCount: 9 << 20)
        #expect(throws: RenderError.malformed(reason: "a colour profile of 9437184 bytes")) {
            try Renderer().render(
                MemoryByteSource(bytes), head: head, options: RenderOptions(targetSize: .maximum))
        }
    }

    /// A JPEG with the profile in one segment.
    private static func jpeg(_ picture: Bitmap, _ profile: [UInt8]) throws -> [UInt8] {
        let bytes = try picture.encoded(as: .jpeg(quality: 95))
        let contents = [UInt8]("ICC_PROFILE\0".utf8) + [1, 1] + profile
        return bytes[..<2] + [0xFF, 0xE2] + Profiles.big(contents.count + 2, 2) + contents + bytes[2...]
    }
}
