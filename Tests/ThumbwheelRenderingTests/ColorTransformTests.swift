import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Colour by tables")
struct ColorTransformTests {
    static let sRGBCurve: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    static let curves: [Profiles.Curve] = [
        .gamma(2.19921875), .gamma(1.8), .table([0, 65535]), .table((0..<1024).map { $0 * $0 * 65535 / (1023 * 1023) }),
        .parametric(0, [2.2]), .parametric(1, [2.2, 0.95, 0.05]), .parametric(2, [2, 0.9, 0.05, 0.02]),
        .parametric(3, sRGBCurve), .parametric(4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0.001, 0.001]),
    ]
    /// Display P3 under D50.
    static let displayP3 = Matrix3(rows: [
        SIMD3(0.515102, 0.291965, 0.157153), SIMD3(0.241182, 0.692236, 0.066582), SIMD3(-0.001050, 0.041882, 0.784378),
    ])

    let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))

    @Test("every kind of curve, with every matrix, comes within two levels of LittleCMS", arguments: curves.indices)
    func againstVips(index: Int) throws {
        for matrix in [Matrix3.adobeRGB, .sRGB, Self.displayP3] {
            for format in [Bitmap.PixelFormat.rgb, .rgba] {
                let profile = Profiles.rgb(Self.curves[index], matrix)
                let noise = Pictures.noise(64, 64, seed: UInt64(index))
                let picture = Pictures.bitmap(64, 64, format: format) { x, y, channel in
                    noise.withUnsafeBytes { Int($0[(y * 64 + x) * 3 + channel % 3]) }
                }
                let transform = try #require(ColorTransform(profile: profile))
                let expected = try picture.convertedByVips(through: profile, checking: guardian)
                let difference = try #require(Pictures.largestDifference(transform.applied(to: picture), expected))
                #expect(difference <= 2, "curve \(index)")
            }
        }
    }

    @Test("sRGB's own profile changes nothing")
    func identity() throws {
        let transform = try #require(ColorTransform(profile: Profiles.rgb(.parametric(3, Self.sRGBCurve), .sRGB)))
        let picture = Pictures.noise(64, 64, seed: 5)
        #expect(try #require(Pictures.largestDifference(transform.applied(to: picture), picture)) <= 1)
    }

    @Test("a grey curve gives the grey of equal light")
    func grey() throws {
        let transform = try #require(ColorTransform(profile: Profiles.grey(.gamma(1))))
        let ramp = Pictures.bitmap(256, 1) { x, _, _ in x }
        let samples = Pictures.samples(transform.applied(to: ramp))
        #expect(samples[0] == 0 && samples[128 * 3] == 188 && samples[255 * 3] == 255)
        let colored = try Pictures.scene(8, 8).convertedToSRGB(
            through: Profiles.grey(.gamma(1)), isGrey: false, checking: guardian)
        #expect(Pictures.largestDifference(colored, Pictures.scene(8, 8)) == 0)
    }

    @Test("Adobe RGB that only EXIF tells of is converted; a CMYK file's is not")
    func exif() throws {
        let bytes = try Pictures.bitmap(64, 64) { _, _, channel in [60, 200, 60][channel] }.encoded(
            as: .jpeg(quality: 100))
        var head = try ImageHead(reading: MemoryByteSource(bytes))
        head.exifColorSpace = .adobeRGB
        let options = RenderOptions(targetSize: PixelSize(width: 16, height: 16))
        let samples = Pictures.samples(
            try Renderer().render(MemoryByteSource(bytes), head: head, options: options).bitmap)
        // Adobe RGB's green lies outside sRGB: red is cut off at 0.
        #expect(samples[0] == 0 && abs(Int(samples[1]) - 201) <= 2)
        head.jpeg?.samplingFactors = Array(repeating: .init(horizontal: 1, vertical: 1), count: 4)
        #expect(ColorConversion(head) == .none)
    }

    @Test("profiles of other kinds, and damaged ones, are left to libvips or do nothing")
    func others() {
        let sound = Profiles.rgb(.gamma(2.2), .adobeRGB)
        for cut in 0..<sound.count { _ = ColorTransform(profile: Array(sound[..<cut])) }
        var numbers = SplitMix(state: 11)
        for _ in 0..<2000 {
            var damaged = sound
            for _ in 0..<4 { damaged[Int(numbers.next() % UInt64(sound.count))] = UInt8(numbers.next() & 255) }
            if let transform = ColorTransform(profile: damaged) {
                _ = transform.applied(to: Pictures.scene(8, 8))
            }
        }
        #expect(ColorTransform(profile: []) == nil)
        #expect(ColorTransformCache.shared.transform(for: [UInt8](repeating: 0, count: 1 << 20)) == nil)
    }

    @Test("a transform is made once, and the longest unused one is dropped")
    func cache() throws {
        let cache = ColorTransformCache(capacity: 2)
        let profiles = [1.0, 1.5, 2.0].map { Profiles.rgb(.gamma($0), .sRGB) }
        let first = try #require(cache.transform(for: profiles[0]))
        #expect(cache.transform(for: profiles[0]) === first)
        _ = cache.transform(for: profiles[1])
        _ = cache.transform(for: profiles[2])
        #expect(cache.transform(for: profiles[0]) !== first)
    }
}
