import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import FixtureKit
@testable import ThumbwheelRendering

/// Images in linear light: what is in their numbers.
@Suite struct ExtendedRangeTests {
    private static let step = 1.0 / 1024

    private static func light(_ sample: Double) -> Double { CodedTransfer.sRGB.light(sample) }

    private static func grey(_ light: Double, alpha: Double = 1) -> SIMD4<Double> { SIMD4(light, light, light, alpha) }

    /// A PNG of 16-bit RGB whose pixels all have the same samples.
    private static func plain(_ samples: [Int], codePoints: [UInt8]? = nil) -> [UInt8] {
        let file = PNGFile(width: 16, height: 16, depth: 16, colorType: 2, sample: { samples[$2] })
        return codePoints.map { PNGChunks.inserting("cICP", $0, into: file.encoded()) } ?? file.encoded()
    }

    // MARK: Bits

    @Test("all bits of a 16-bit PNG come through, interlaced or not", arguments: [0, 2], [false, true])
    func pngRamp(colorType: Int, isInterlaced: Bool) throws {
        var file = PNGFile(width: 2000, height: 8, depth: 16, colorType: colorType)
        file.sample = { x, _, _ in x * 32 + 17 }
        file.isInterlaced = isInterlaced
        file.filter = { $0 % 5 }
        let picture = try LightPicture(file.encoded())
        #expect(picture.size == PixelSize(width: 2000, height: 8))
        #expect(picture.difference { x, _ in Self.grey(Self.light(Double(x * 32 + 17) / 65535)) } < Self.step)
        #expect(picture.levelCount > 1500)
        // Resampled, the ramp keeps its levels too.
        let small = try LightPicture(
            file.encoded(), PixelSize(width: 1000, height: 4), resizeMode: .exact)
        #expect(small.size.width == 1000 && small.levelCount > 800)
    }

    @Test(
        "all bits of a 16-bit TIFF come through, in every layout",
        arguments: [(2, 3, []), (1, 1, []), (0, 1, []), (2, 4, [2]), (2, 4, [0]), (0, 2, [2])], [false, true])
    func tiffRamp(_ layout: (photometric: Int, samples: Int, extra: [Int]), isBigEndian: Bool) throws {
        for (compression, predictor) in [(1, 1), (5, 1), (5, 2)] {
            var file = TIFFFile(width: 1000, height: 12)
            (file.photometric, file.samplesPerPixel, file.extraSamples) = (
                layout.photometric, layout.samples, layout.extra
            )
            (file.bits, file.compression, file.predictor, file.isBigEndian) = (16, compression, predictor, isBigEndian)
            let isAlpha = layout.extra == [2]
            let last = layout.samples - 1
            file.sample = { _, x, index in isAlpha && index == last ? 65535 - x * 60 : x * 60 + 23 }
            let picture = try LightPicture(file.encoded())
            let difference = picture.difference { x, _ in
                let sample = Double(x * 60 + 23) / 65535
                let light = Self.light(layout.photometric == 0 ? 1 - sample : sample)
                return Self.grey(light, alpha: isAlpha ? 1 - Double(x * 60) / 65535 : 1)
            }
            #expect(difference < Self.step, "compression \(compression), predictor \(predictor)")
        }
    }

    @Test("colours of a 16-bit TIFF that were multiplied by alpha are divided by it")
    func premultipliedTIFF() throws {
        var file = TIFFFile(width: 64, height: 6, samplesPerPixel: 4, bits: 16, extraSamples: [1])
        file.sample = { _, x, index in index == 3 ? 20_000 + x * 700 : (20_000 + x * 700) / 4 }
        let picture = try LightPicture(file.encoded())
        let difference = picture.difference { x, _ in
            Self.grey(Self.light(0.25), alpha: Double(20_000 + x * 700) / 65535)
        }
        #expect(difference < Self.step)
    }

    @Test("the bits beyond eight of HEIC and AVIF come through the planes", arguments: [10, 12])
    func planeRamp(bits: Int) throws {
        // libheif's encoders fail on such pictures, so the ramp begins where their decoders end.
        let count = 1024
        let ramp = (0..<count).map { UInt16($0 << (bits - 10)) }
        let range = SampleRange(bitsPerSample: bits, isFullRange: true, isChroma: false)
        let reducer = SampleReducer(width: count, columns: 1, rows: 1, range: range)
        let row = try #require(ramp.withUnsafeBytes { reducer.add($0.baseAddress!, isLast: true) })
        var samples: [UInt16] = []
        let interleaver = WideInterleaver(channels: 1, width: count, colors: .direct, rows: 0..<1) { row in
            samples = (0..<count).map { UnsafeRawPointer(row).load(fromByteOffset: 2 * $0, as: UInt16.self) }
        }
        interleaver.consume(row, row, row)
        #expect(Set(samples).count == count)
        let largest = Double(1 << bits - 1)
        for (sample, stored) in zip(samples, ramp) {
            #expect(abs(Double(sample) - Double(stored) * 65535 / largest) <= 5)
        }
    }

    @Test("rows with alpha have the samples of rows without it, and more places")
    func heifAlpha() throws {
        var picture = TiledPicture()
        picture.tileSide = 64
        var samples: [UInt8] = []
        for index in 0..<64 * 64 {
            let red = 60 + index % 64 + index / 64
            samples += [UInt8(red), 90, 120]
        }
        let colors = Raster(width: 64, height: 64, channels: 3, bytes: samples)
        picture.alpha = Raster(width: 64, height: 64, channels: 1, bytes: [UInt8](repeating: 127, count: 64 * 64))
        let file = try picture.file(colors)
        let image = try LightPicture.image(file).bitmap
        let standard = try Renderer().render(
            MemoryByteSource(file), options: RenderOptions(targetSize: .maximum, resizeMode: .none)
        ).bitmap
        #expect(standard.format == .rgba)
        #expect(try #require(Pictures.largestDifference(image.inStandardRange(), standard)) <= 1)
        let bytes = Pictures.samples(standard)
        #expect(LightPicture(image).levelCount > Set(stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }).count)
    }

    @Test("a JPEG's fractions of levels come through")
    func jpegRamp() throws {
        let ramp = Pictures.bitmap(1600, 64) { x, _, _ in x * 255 / 1599 }
        let file = try ramp.encoded(as: .jpeg(quality: 98))
        #expect(try LightPicture(file, PixelSize(width: 800, height: 32), resizeMode: .exact).levelCount > 600)
        // Without resampling, the levels between those of 8 bits can only come from the transform.
        let decode = try LightPicture(file, PixelSize(width: 800, height: 32))
        #expect(decode.size.width == 800 && decode.levelCount > 300)
    }

    @Test(
        "8-bit samples have the light of sRGB", arguments: [ImageEncoding.jpeg(quality: 95), .png, .webp(quality: 90)])
    func narrow(encoding: ImageEncoding) throws {
        let file = try Pictures.bitmap(64, 48) { _, _, _ in 128 }.encoded(as: encoding)
        let whole = try LightPicture(file)
        let small = try LightPicture(file, PixelSize(width: 20, height: 15), resizeMode: .exact)
        let linear = try LightPicture(file, PixelSize(width: 20, height: 15), resizeMode: .exact) { $0.isLinear = true }
        #expect(whole.difference { _, _ in Self.grey(0.2158605) } < (encoding == .webp(quality: 90) ? 0.02 : Self.step))
        // libwebp's samples of grey may be a level off; the transforms of a reduced JPEG have errors of 0.4 levels.
        let step = encoding == .png ? Self.step : encoding == .webp(quality: 90) ? 0.02 : 0.007
        for picture in [small, linear] { #expect(picture.difference { _, _ in Self.grey(0.2158605) } < step) }
        #expect(small.size == PixelSize(width: 20, height: 15))
    }

    // MARK: Light and colours

    @Test("PQ and HLG keep their highlights, in units of the reference white")
    func highDynamicRange() throws {
        for (light, wanted) in [(203.0, 1.0), (1000, 4.926), (4000, 19.704), (20, 0.09852)] {
            let sample = Int((CodedTransfer.pqSample(light) * 65535).rounded())
            let picture = try LightPicture(Self.plain([sample, sample, sample], codePoints: [1, 16, 0, 1]))
            #expect(picture.difference { _, _ in Self.grey(wanted) } < 2 * Self.step, "\(light) cd/m²")
            let small = try LightPicture(
                Self.plain([sample, sample, sample], codePoints: [1, 16, 0, 1]), PixelSize(width: 7, height: 7),
                resizeMode: .exact)
            #expect(small.difference { _, _ in Self.grey(wanted) } < 2 * Self.step, "\(light) cd/m²")
        }
        let peak = try LightPicture(Self.plain([65535, 65535, 65535], codePoints: [1, 18, 0, 1]))
        #expect(peak.difference { _, _ in Self.grey(1000 / 203.0) } < Self.step)
        // BT.2100: a sample of 0.5 is a twelfth of the scene's light, and of that the power 1.2 is shown.
        let middle = try LightPicture(Self.plain([32768, 32768, 32768], codePoints: [1, 18, 0, 1]))
        #expect(middle.difference { _, _ in Self.grey(pow(1 / 12.0, 1.2) * 1000 / 203) } < 2 * Self.step)
    }

    @Test("PQ in the primaries of BT.2020 is converted without clipping")
    func wideHighlights() throws {
        let sample = Int((CodedTransfer.pqSample(406) * 65535).rounded())
        let picture = try LightPicture(Self.plain([0, sample, 0], codePoints: [9, 16, 0, 1]))
        let green = CodedColorTests.from2020.map { 2 * $0.y }
        let wanted = SIMD4(green[0], green[1], green[2], 1)
        #expect(wanted.x < -1 && picture.difference { _, _ in wanted } < 3 * Self.step)
    }

    @Test("colours outside sRGB are negative or above 1, by code points and by profile")
    func gamut() throws {
        let red = SIMD4(1.2249402, -0.0420570, -0.0196376, 1)
        let coded = try LightPicture(Self.plain([65535, 0, 0], codePoints: [12, 13, 0, 1]))
        #expect(coded.difference { _, _ in red } < 3 * Self.step)
        let p3 = try #require(RGBPrimaries(code: 12)).toXYZUnderD50
        let curve = Profiles.Curve.parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        let profiled = PNGChunks.inserting(
            "iCCP", PNGChunks.profile(Profiles.rgb(curve, p3)), into: Self.plain([65535, 0, 0]))
        #expect(try LightPicture(profiled).difference { _, _ in red } < 0.02)
        let adobe = PNGChunks.inserting(
            "iCCP", PNGChunks.profile(Profiles.rgb(.gamma(563.0 / 256), .adobeRGB)), into: Self.plain([0, 65535, 0]))
        #expect(try LightPicture(adobe)[3, 3].x < -0.35)
        // Green of 50 % in Adobe RGB, whose curve is a power of 2.2: no level of 8 bits is in between.
        let half = PNGChunks.inserting(
            "iCCP", PNGChunks.profile(Profiles.rgb(.gamma(563.0 / 256), .adobeRGB)),
            into: Self.plain([32801, 32801, 32801]))
        let light = pow(32801 / 65535.0, 563.0 / 256)
        #expect(try LightPicture(half).difference { _, _ in Self.grey(light) } < Self.step)
    }

    @Test("PNG's calibration, video range and grey profiles are applied to 16 bits")
    func otherColors() throws {
        let linear = PNGChunks.inserting("gAMA", Profiles.big(100_000, 4), into: Self.plain([20_001, 40_003, 60_007]))
        let wanted = SIMD4(20_001 / 65535.0, 40_003 / 65535.0, 60_007 / 65535.0, 1)
        #expect(try LightPicture(linear).difference { _, _ in wanted } < Self.step)
        // 60160 is 235 times 256, the white of video range.
        let video = try LightPicture(Self.plain([60_160, 60_160, 4096], codePoints: [1, 13, 0, 0]))
        #expect(video.difference { _, _ in SIMD4(1, 1, 0, 1) } < Self.step)
        let grey = PNGFile(width: 8, height: 8, depth: 16, colorType: 0, sample: { _, _, _ in 30_001 }).encoded()
        let profiled = PNGChunks.inserting("iCCP", PNGChunks.profile(Profiles.grey(.gamma(1))), into: grey)
        #expect(try LightPicture(profiled).difference { _, _ in Self.grey(30_001 / 65535.0) } < Self.step)
    }

    @Test(
        "pictures in inks come in linear light as well",
        .enabled(if: FileManager.default.fileExists(atPath: "Fixtures/library/cmyk.jpg"), "run `make fixtures` first"),
        arguments: ["cmyk.jpg", "display-p3.jpg", "grey.jpg"])
    func fixtures(name: String) throws {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "Fixtures/library/" + name)))
        let size = PixelSize(width: 120, height: 120)
        let extended = try LightPicture.image(file, size, resizeMode: .exact).bitmap
        let standard = try Renderer().render(
            MemoryByteSource(file), options: RenderOptions(targetSize: size, contentMode: .aspectFit)
        ).bitmap
        #expect(extended.format == .linearRGBA && extended.size == standard.size)
        #expect(Pictures.meanDifference(extended.inStandardRange(), standard) < 1)
    }

    // MARK: Alpha and place

    @Test("alpha keeps its bits, and colours are not multiplied by it")
    func alpha() throws {
        var writer = PNGFile(width: 1000, height: 8, depth: 16, colorType: 6)
        writer.sample = { x, _, channel in channel == 3 ? 6000 + x * 59 : 30_000 + channel }
        let file = writer.encoded()
        for isLinear in [false, true] {
            for width in [1000, 500] {
                let picture = try LightPicture(file, PixelSize(width: width, height: width), resizeMode: .exact) {
                    $0.isLinear = isLinear
                }
                let color = Self.light(30_000 / 65535.0)
                for x in 0..<width {
                    let pixel = SIMD4<Double>(picture[x, 1])
                    #expect(abs(pixel.x - color) < Self.step && abs(pixel.z - color) < Self.step)
                    guard 4..<width - 4 ~= x else { continue }
                    let place: Double = (Double(x) + 0.5) * 1000 / Double(width) - 0.5
                    let wanted: Double = (6000 + place * 59) / 65535
                    #expect(abs(pixel.w - wanted) < Self.step)
                }
                #expect(Set((0..<width).map { picture[$0, 1].w }).count > 400)
            }
        }
    }

    @Test("one transparent colour of 16 bits is told from its neighbours")
    func transparentColor() throws {
        var file = PNGFile(width: 8, height: 2, depth: 16, colorType: 2, sample: { x, _, _ in 1000 + x })
        file.transparency = [3, 0xEA, 3, 0xEA, 3, 0xEA]
        let picture = try LightPicture(file.encoded())
        #expect((0..<8).map { picture[$0, 0].w } == [1, 1, 0, 1, 1, 1, 1, 1])
    }

    @Test("images are turned upright", arguments: ImageOrientation.allCases)
    func orientation(_ orientation: ImageOrientation) throws {
        let scene = Pictures.scene(50, 30)
        let stored = try LightPicture.image(try Pictures.jpeg(scene, orientation: .up)).bitmap
        let turned = try LightPicture.image(try Pictures.jpeg(scene, orientation: orientation)).bitmap
        #expect(Pictures.largestDifference(turned, Pictures.upright(stored, orientation)) == 0)
    }

    @Test("a part of a picture is the same part as in 8 bits", arguments: ["jpeg", "png"])
    func crop(format: String) throws {
        let scene = Pictures.scene(300, 200)
        let file = try scene.encoded(as: format == "png" ? .png : .jpeg(quality: 95))
        for (size, rect) in [(150, NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.5)), (60, nil)] {
            let target = PixelSize(width: size, height: 100)
            let options = RenderOptions(targetSize: target, normalizedCropRect: rect)
            var extended = options
            extended.pixelRange = .extended
            let images = try Renderer().render(MemoryByteSource(file), options: [options, extended]).map {
                try $0.get().bitmap
            }
            #expect(images[0].format == .rgb && images[1].format == .linearRGBA)
            let difference = try #require(Pictures.largestDifference(images[1].inStandardRange(), images[0]))
            #expect(difference <= 4)
            // The other format changes nothing of an 8-bit image.
            let alone = try Renderer().render(MemoryByteSource(file), options: options).bitmap
            #expect(Pictures.largestDifference(images[0], alone) == 0)
        }
    }

    @Test("grey takes the place of rows that are lost")
    func damage() throws {
        var file = PNGFile(width: 64, height: 64, depth: 16, colorType: 2)
        file.sample = { x, y, _ in (x * 977 + y * 3001) & 65535 }
        let whole = file.encoded()
        let image = try LightPicture.image(Array(whole[..<(whole.count / 2)])) { $0.quality = .fast }
        #expect(image.isPartial)
        let picture = LightPicture(image.bitmap)
        #expect(abs(picture[10, 63].x - 0.2158605) < 1 / 1024 && picture[10, 63].w == 1)
    }
}
