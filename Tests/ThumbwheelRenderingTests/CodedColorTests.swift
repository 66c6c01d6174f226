import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Colours given by code points")
struct CodedColorTests {
    let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))

    static func coded(_ primaries: UInt16, _ transfer: UInt16, isFullRange: Bool = true) throws -> CodedColors {
        try #require(
            CodedColors(
                CodingIndependentColor(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: isFullRange),
                isVideoRangePossible: true))
    }

    static func encoded(_ linear: Double) -> Double {
        let light = max(0, min(1, linear))
        return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }

    /// Colours of all kinds, the corners of the cube among them.
    static let picture: Bitmap = {
        let noise = Pictures.noise(64, 64, seed: 3)
        return Pictures.bitmap(64, 66, format: .rgba) { x, y, channel in
            if channel == 3 { return x * 4 }
            if y == 64 { return x * 4 }
            if y == 65 { return x >> channel & 1 * 255 }
            return noise.withUnsafeBytes { Int($0[(y * 64 + x) * 3 + channel]) }
        }
    }()

    /// The largest difference from a definition, in levels; alpha must be untouched.
    private func difference(
        _ colors: CodedColors, _ definition: (SIMD3<Double>) -> SIMD3<Double>
    ) throws -> Double {
        let before = Pictures.samples(Self.picture)
        let after = Pictures.samples(try colors.convertedToSRGB(Self.picture, checking: guardian))
        var largest = 0.0
        for start in stride(from: 0, to: before.count, by: 4) {
            let color = definition(
                SIMD3(Double(before[start]), Double(before[start + 1]), Double(before[start + 2])) / 255)
            for channel in 0..<3 {
                largest = max(largest, abs(Self.encoded(color[channel]) - Double(after[start + channel])))
            }
            #expect(before[start + 3] == after[start + 3])
        }
        return largest
    }

    /// D65 to D65: published matrices of linear light to linear sRGB.
    static let fromP3: [SIMD3<Double>] = [
        SIMD3(1.2249402, -0.2249402, 0), SIMD3(-0.0420570, 1.0420570, 0), SIMD3(-0.0196376, -0.0786361, 1.0982736),
    ]
    static let from2020: [SIMD3<Double>] = [
        SIMD3(1.6604910, -0.5876411, -0.0728499), SIMD3(-0.1245505, 1.1328999, -0.0083494),
        SIMD3(-0.0181508, -0.1005789, 1.1187297),
    ]

    private static func times(_ matrix: [SIMD3<Double>], _ color: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(matrix.map { ($0 * color).sum() })
    }

    private static func each(_ color: SIMD3<Double>, _ curve: (Double) -> Double) -> SIMD3<Double> {
        SIMD3((0..<3).map { curve(color[$0]) })
    }

    static func sRGB(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    @Test("Display P3 and BT.2020, with sRGB's curve, linear light and powers, by their definitions")
    func primaries() throws {
        let curves: [(code: UInt16, curve: (Double) -> Double)] = [
            (13, Self.sRGB), (2, Self.sRGB), (1, Self.sRGB), (14, Self.sRGB), (8, { $0 }), (4, { pow($0, 2.2) }),
            (5, { pow($0, 2.8) }),
        ]
        for (code, curve) in curves {
            for (primaries, matrix) in [(UInt16(12), Self.fromP3), (9, Self.from2020)] {
                let difference = try difference(try Self.coded(primaries, code)) {
                    Self.times(matrix, Self.each($0, curve))
                }
                #expect(difference < 1.5, "primaries \(primaries), transfer \(code)")
            }
            if code != 13, code != 2, code != 1, code != 14 {
                #expect(try difference(try Self.coded(1, code)) { Self.each($0, curve) } < 1.5, "transfer \(code)")
            }
        }
    }

    @Test("BT.2020's PQ and HLG, by their definitions and the tone map's")
    func highDynamicRange() throws {
        /// Mixed with the grey of its luminance until every channel lies between 0 and 1.
        func inGamut(_ color: SIMD3<Double>) -> SIMD3<Double> {
            let grey = (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()
            var mixed = color
            for channel in 0..<3 where mixed[channel] < 0 {
                mixed = SIMD3(repeating: grey) + (mixed - SIMD3(repeating: grey)) * (grey / (grey - mixed[channel]))
            }
            for channel in 0..<3 where mixed[channel] > 1 {
                mixed =
                    SIMD3(repeating: grey) + (mixed - SIMD3(repeating: grey)) * ((1 - grey) / (mixed[channel] - grey))
            }
            return mixed
        }
        func toned(_ light: SIMD3<Double>) -> SIMD3<Double> {
            let cut = light * min(1, ToneMap.peak / ToneMap.white / max(light.max(), 1e-9))
            return cut.max() > 0 ? cut * (ToneMap.level(cut.max()) / cut.max()) : cut
        }
        let pq = try difference(try Self.coded(9, 16)) { color in
            let light = Self.each(color) { sample in
                let root = pow(sample, 32 / 2523.0)
                return 10_000 * pow(max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root), 16384 / 2610.0) / 203
            }
            return inGamut(Self.times(Self.from2020, toned(light)))
        }
        #expect(pq < 2)
        let hlg = try difference(try Self.coded(9, 18)) { color in
            let scene = Self.each(color) { sample in
                sample <= 0.5 ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
            }
            let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
            return inGamut(Self.times(Self.from2020, toned(scene * pow(luminance, 0.2) * 1000 / 203)))
        }
        #expect(hlg < 2)
    }

    /// The pixel that a pixel becomes, which is coded by samples from 0 to 1.
    private func converted(_ color: SIMD3<Double>, _ colors: CodedColors) throws -> [UInt8] {
        let levels = (0..<3).map { Int((color[$0] * 255).rounded()) }
        let bitmap = Pictures.bitmap(1, 1, format: .rgb) { _, _, channel in levels[channel] }
        return Array(Pictures.samples(try colors.convertedToSRGB(bitmap, checking: guardian)).prefix(3))
    }

    @Test("greys of known light are the same grey in PQ and HLG, and as bright as BT.2390's curve makes them")
    func greyRamps() throws {
        let (pq, hlg) = (try Self.coded(9, 16), try Self.coded(9, 18))
        // Light in cd/m² and the level of sRGB: what is below 87 cd/m² keeps its light beside the white of 203, which becomes
        // 0.78 of the screen's.
        for (light, level) in [(0.0, 0), (5, 41), (26, 101), (80, 169), (203, 229), (1000, 255), (4000, 255)] {
            let sample = CodedTransfer.pqSample(light)
            let grey = try converted(SIMD3(repeating: sample), pq)
            // A sample of eight bits stands for the light of its level, not for the light asked for.
            let coded = CodedTransfer.pqLight((sample * 255).rounded() / 255) / ToneMap.white
            let expected = Self.encoded(min(1, ToneMap.level(min(coded, ToneMap.peak / ToneMap.white))))
            #expect(grey.allSatisfy { abs(Double($0) - expected) < 1.5 }, "\(light) cd/m²: \(grey)")
            #expect(abs(Int(grey[0]) - level) <= 4, "\(light) cd/m²: \(grey)")
        }
        for sample in stride(from: 0.0, through: 1, by: 1.0 / 15) {
            let scene = CodedTransfer.hlg.light((sample * 255).rounded() / 255)
            let light = scene * ToneMap.displayGain(sceneLuminance: scene)
            let grey = try converted(SIMD3(repeating: sample), hlg)
            #expect(grey.allSatisfy { abs(Double($0) - Self.encoded(min(1, ToneMap.level(light)))) < 1.5 })
        }
    }

    @Test("colours that sRGB does not have keep their hue and their luminance, instead of being cut off")
    func gamut() throws {
        let pq = try Self.coded(9, 16)
        let white = CodedTransfer.pqSample(203)
        for primary in 0..<3 {
            var color = SIMD3<Double>.zero
            color[primary] = white
            let pixel = try converted(color, pq)
            // Each primary of BT.2020 lies outside sRGB, and becomes the colour on the line to grey, not that of a corner.
            let light = Self.each(SIMD3(pixel.map { Double($0) / 255 }), Self.sRGB)
            let exact = Self.times(
                Self.from2020, color / white * ToneMap.level(CodedTransfer.pqLight((white * 255).rounded() / 255) / 203)
            )
            let luminance = SIMD3(0.2126, 0.7152, 0.0722)
            #expect(abs((light * luminance).sum() - (exact * luminance).sum()) < 0.02, "\(primary): \(pixel)")
            let (grey, most) = ((exact * luminance).sum(), exact.max())
            let ratios = (0..<3).map { (exact[$0] - grey) / (most - grey) }
            let mixed = (light * luminance).sum()
            for channel in 0..<3 {
                #expect(abs((light[channel] - mixed) / (light.max() - mixed) - ratios[channel]) < 0.05, "\(pixel)")
            }
        }
        for color in [SIMD3<Float>(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.2, 0.5, 0.9)] {
            #expect(GamutMap.insideSRGB(color) == color)
        }
        #expect(GamutMap.insideSRGB(SIMD3(3, 3, 3)) == SIMD3(1, 1, 1))
        #expect(GamutMap.insideSRGB(SIMD3(-1, -1, -1)) == SIMD3(0, 0, 0))
    }

    @Test("a profile whose cicp tag says PQ is converted by its code points; any other by its curves")
    func profileTag() throws {
        func profile(_ transfer: UInt8) -> [UInt8] {
            var bytes = Profiles.rgb(.gamma(2.2), Matrix3.sRGB)
            let count = Int(bytes[131])
            // The new tag stands behind the others; their data move by the length of its entry.
            for index in 0..<count {
                let place = 132 + 12 * index + 4
                let offset = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + 12
                bytes.replaceSubrange(place..<place + 4, with: Profiles.big(offset, 4))
            }
            bytes[131] += 1
            let entry = [UInt8]("cicp".utf8) + Profiles.big(bytes.count + 12, 4) + Profiles.big(12, 4)
            bytes.insert(contentsOf: entry, at: 132 + 12 * count)
            return bytes + [UInt8]("cicp".utf8) + [0, 0, 0, 0, 9, transfer, 0, 1]
        }
        let plain = Profiles.rgb(.gamma(2.2), Matrix3.sRGB)
        func samples(_ profile: [UInt8]) throws -> [UInt8] {
            Pictures.samples(try Self.picture.convertedToSRGB(through: profile, checking: guardian))
        }
        let pq = Pictures.samples(try Self.coded(9, 16).convertedToSRGB(Self.picture, checking: guardian))
        #expect(try samples(profile(16)) == pq)
        #expect(try samples(profile(13)) == samples(plain))
        #expect(try samples(profile(16)) != samples(plain))
        #expect(ProfileTags.codedColor(in: Array(profile(16).dropLast())) == nil)
        #expect(ProfileTags.codedColor(in: plain) == nil)
    }

    @Test("the tone map keeps dark light, never falls, and ends at white")
    func toneMap() {
        // 26 cd/m² keeps its darkness.
        #expect(ToneMap.level(0) == 0 && abs(ToneMap.level(0.128) - 0.128) < 1e-9 && ToneMap.level(0.43) == 0.43)
        #expect(abs(ToneMap.level(1000 / 203.0) - 1) < 1e-6 && abs(ToneMap.level(49) - 1) < 1e-6)
        var last = 0.0
        for step in 0...5000 {
            let level = ToneMap.level(Double(step) / 1000)
            #expect(level >= last - 1e-12 && level - last < 0.0011)
            last = level
        }
        // Paper stays bright: 229 of 255.
        #expect((228...240).contains(Self.encoded(ToneMap.level(1))))
        // 58 % of PQ and 75 % of HLG are 203 cd/m² (BT.2408, table 1).
        #expect(abs(CodedTransfer.pqLight(0.58) - 203) < 1.5)
        let scene = CodedTransfer.hlg.light(0.75)
        #expect(abs(scene * ToneMap.displayGain(sceneLuminance: scene) - 1) < 0.005)
        for light in [0.0, 0.1, 1, 100, 203, 1000, 10_000] {
            #expect(abs(CodedTransfer.pqLight(CodedTransfer.pqSample(light)) - light) < 1e-6 * max(1, light))
        }
    }

    @Test("primaries and white agree with those of ICC's sRGB")
    func matrices() throws {
        let matrix = try #require(RGBPrimaries(code: 1)).toXYZUnderD50
        for (row, expected) in zip(matrix.rows, Matrix3.sRGB.rows) { #expect(abs((row - expected).max()) < 5e-4) }
        for code in UInt16(0)...30 {
            guard let primaries = RGBPrimaries(code: code) else { continue }
            let white = primaries.toXYZUnderD50.rows.map { $0.sum() }
            #expect(abs(white[0] - 0.9642) < 1e-4 && abs(white[1] - 1) < 1e-4 && abs(white[2] - 0.8249) < 1e-4)
        }
    }

    @Test("samples in video range are stretched to full range")
    func videoRange() throws {
        let colors = try Self.coded(1, 13, isFullRange: false)
        let ramp = Pictures.bitmap(256, 1) { x, _, _ in x }
        let samples = Pictures.samples(try colors.convertedToSRGB(ramp, checking: guardian))
        for level in 0..<256 {
            let expected = max(0, min(255, (Double(level) - 16) * 255 / 219))
            #expect(abs(Double(samples[level * 3]) - expected) <= 1)
        }
    }

    @Test("code points count before a PNG's profile and after a HEIF file's; unknown ones are ignored")
    func precedence() {
        let p3 = CodingIndependentColor(primaries: 12, transfer: 13, matrix: 0, isFullRange: true)
        let sRGB = CodingIndependentColor(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        let unknown = CodingIndependentColor(primaries: 3, transfer: 13, matrix: 0, isFullRange: true)
        let profile = EmbeddedProfile(name: "mine", colorSpace: "RGB", byteCount: 500)
        func conversion(
            _ type: ContentType, _ color: CodingIndependentColor?, _ profile: EmbeddedProfile?
        ) -> ColorConversion {
            ColorConversion(
                ImageHead(
                    contentType: type, storedSize: PixelSize(width: 8, height: 8), profile: profile,
                    exifColorSpace: .adobeRGB, codedColor: color))
        }
        let coded = CodedColors(p3, isVideoRangePossible: true).map { ColorConversion.coded($0) }
        #expect(coded != nil && conversion(.png, p3, profile) == coded)
        #expect(conversion(.png, sRGB, profile) == .none && conversion(.png, unknown, profile) == .output)
        #expect(conversion(.avif, p3, profile) == .output)
        #expect(conversion(.avif, p3, nil) == CodedColors(p3, isVideoRangePossible: false).map { .coded($0) })
        #expect(conversion(.heic, sRGB, nil) == .none && conversion(.heic, unknown, nil) == .adobeRGB)
        let large = EmbeddedProfile(name: "mine", colorSpace: "RGB", byteCount: 9 << 20)
        #expect(conversion(.png, nil, large) == .none && conversion(.jpeg, nil, large) == .none)
    }

    @Test("a PNG with a cICP chunk is rendered in sRGB")
    func chunk() throws {
        let picture = Pictures.bitmap(16, 16) { _, _, channel in [60, 200, 90][channel] }
        let bytes = PNGChunks.inserting("cICP", [12, 13, 0, 1], into: try picture.encoded(as: .png))
        let samples = Pictures.samples(
            try Renderer().render(
                MemoryByteSource(bytes), options: RenderOptions(targetSize: PixelSize(width: 4, height: 4))
            ).bitmap)
        let light = Self.each(SIMD3(60, 200, 90) / 255, Self.sRGB)
        let expected = Self.times(Self.fromP3, light)
        for channel in 0..<3 { #expect(abs(Double(samples[channel]) - Self.encoded(expected[channel])) <= 1) }
    }
}
