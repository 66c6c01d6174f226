import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Resampling a JPEG's planes")
struct PlaneResamplerTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    private static func decode(_ bytes: [UInt8], eighths: Int, hasCoarseChroma: Bool = false) throws -> JPEGDecode {
        try #require(
            try JPEGDecode(
                MemoryByteSource(bytes), eighths: eighths, hasCoarseChroma: hasCoarseChroma, guardian: guardian))
    }

    /// The same part of the decode made of its planes, and by the definition of its pixels.
    private static func compared(
        _ bytes: [UInt8], _ shape: ResamplerTests.Shape, eighths: Int, hasCoarseChroma: Bool = false
    ) throws -> [Double] {
        let pixels = JPEGRows(try decode(bytes, eighths: eighths))
        #expect(pixels.size == shape.input)
        let source = Bitmap(size: pixels.size, format: .rgb) { target in
            var samples: [UInt8] = []
            _ = pixels.forEachRow(in: 0..<pixels.size.height) { row in
                for x in 0..<pixels.size.width * 3 { samples.append(row[pixels.channels == 1 ? x / 3 : x]) }
            }
            target.copyBytes(from: samples)
        }
        let decode = try decode(bytes, eighths: eighths, hasCoarseChroma: hasCoarseChroma)
        let plan = ResamplingPlan(
            decodedSize: shape.input, channels: pixels.channels, box: shape.box, outputSize: shape.output,
            isLinear: false)
        let made = Bitmap(size: shape.output, format: .rgb) { target in
            let store = OrientedStore(target, storedSize: shape.output, format: .rgb, orientation: .up)
            guard
                let resampler = PlaneResampler(
                    plan, scales: decode.scales, colors: decode.header.colors, store: store)
            else { return }
            let end = decode.forEachRow(to: resampler)
            #expect(end.error == nil)
        }
        return zip(Pictures.samples(made), ResamplerTests.reference(source, shape)).map { abs(Double($0) - $1) }
    }

    /// Shapes for a picture: reductions, enlargements and crops, where planes are needed from any row and column on.
    private static func shapes(_ size: PixelSize, seed: UInt64) -> [ResamplerTests.Shape] {
        var random = SeededGenerator(seed: seed)
        func side(_ length: Double) -> Int {
            max(1, Int((length / Double.random(in: 0.4...3.9, using: &random)).rounded(.up)))
        }
        return (0..<6).map { _ in
            let width = Double.random(in: 0.2...1, using: &random) * Double(size.width)
            let height = Double.random(in: 0.2...1, using: &random) * Double(size.height)
            let box = SourceBox(
                x: .random(in: 0...1, using: &random) * (Double(size.width) - width),
                y: .random(in: 0...1, using: &random) * (Double(size.height) - height), width: width, height: height)
            return ResamplerTests.Shape(
                input: size, box: box, output: PixelSize(width: side(width), height: side(height)))
        }
    }

    private static func size(_ width: Int, _ height: Int, eighths: Int) -> PixelSize {
        PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
    }

    @Test("planes that lie over each other make what their pixels make, within 2", arguments: [8, 5, 3])
    func whole(eighths: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("shapes from seed \(seed)")
        for subsampling in [JPEGEncoder.Subsampling.yuv444, .grey] {
            let picture = Raster(Scene(seed: 5, subject: .landscape, noise: 3), width: 131, height: 94)
            let bytes = try JPEGEncoder(quality: 92, subsampling: subsampling)
                .encode(subsampling == .grey ? picture.grey : picture)
            for shape in Self.shapes(Self.size(131, 94, eighths: eighths), seed: seed) {
                let differences = try Self.compared(bytes, shape, eighths: eighths)
                #expect(differences.max()! <= 2, "\(shape) \(subsampling) seed \(seed)")
            }
        }
    }

    @Test("subsampled planes show the picture that their pixels show", arguments: [8, 6, 3, 1])
    func subsampled(eighths: Int) throws {
        let picture = Raster(Scene(seed: 6, subject: .landscape, noise: 1), width: 211, height: 158)
        for subsampling in JPEGEncoder.Subsampling.allCases where subsampling != .grey {
            let bytes = try JPEGEncoder(quality: 95, subsampling: subsampling).encode(picture)
            for isCoarse in [false, true] {
                let differences = try Self.shapes(Self.size(211, 158, eighths: eighths), seed: 7).flatMap {
                    try Self.compared(bytes, $0, eighths: eighths, hasCoarseChroma: isCoarse)
                }
                let mean = differences.reduce(0, +) / Double(differences.count)
                // At 1/8 there are few pixels, and chroma from across their edges counts.
                #expect(mean < (eighths == 1 ? 3 : 1), "\(subsampling), coarse \(isCoarse)")
            }
        }
    }

    @Test("every row is made of every sampling, at every small height and scale", arguments: 1...8)
    func rows(eighths: Int) throws {
        for sampling in [
            [(2, 2), (1, 1), (1, 1)], [(1, 1), (2, 2), (2, 2)], [(2, 1), (1, 2), (1, 1)], [(3, 1), (1, 1), (1, 1)],
            [(4, 2), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(1, 1), (1, 2), (1, 2)],
        ] {
            for height in 1...17 {
                // Luma and chroma: the encoder takes samples as they are.
                let white = Raster(
                    width: 27, height: height, channels: 3,
                    bytes: Array(repeatElement([255, 128, 128], count: 27 * height).joined()))
                let bytes = try LibJPEGEncoder(sampling: sampling, quality: 95, scans: []).encode(white)
                for isCoarse in [false, true] {
                    let decode = try Self.decode(bytes, eighths: eighths, hasCoarseChroma: isCoarse)
                    for side in [1, decode.size.height, 2 * decode.size.height] {
                        let made = Self.made(decode.size, side, of: bytes, eighths: eighths, isCoarse)
                        #expect(made.allSatisfy { $0 > 250 }, "\(sampling), \(height) rows to \(side)")
                    }
                }
            }
        }
    }

    /// All of an image, with as many rows as are wanted.
    private static func made(
        _ size: PixelSize, _ height: Int, of bytes: [UInt8], eighths: Int, _ hasCoarseChroma: Bool
    ) -> [UInt8] {
        let output = PixelSize(width: 9, height: height)
        let plan = ResamplingPlan(
            decodedSize: size, channels: 3,
            box: SourceBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), outputSize: output,
            isLinear: false)
        let bitmap = Bitmap(size: output, format: .rgb) { target in
            guard let decode = try? decode(bytes, eighths: eighths, hasCoarseChroma: hasCoarseChroma) else { return }
            let store = OrientedStore(target, storedSize: output, format: .rgb, orientation: .up)
            let consumers = JPEGRows(decode).makeConsumers(for: [plan], storingInto: [store])
            _ = decode.forEachRow(to: consumers[0])
        }
        return Pictures.samples(bitmap)
    }

    @Test("strips of one colour keep it")
    func strips() throws {
        for (width, height) in [(65500, 1), (30000, 9), (3, 20000), (1, 4000)] {
            for sampling in [[(2, 2), (1, 1), (1, 1)], [(1, 1), (1, 1), (1, 1)], [(4, 1), (1, 1), (1, 1)], [(1, 1)]] {
                let pixel: [UInt8] = sampling.count == 1 ? [90] : [90, 200, 60]
                let raster = Raster(
                    width: width, height: height, channels: pixel.count,
                    bytes: Array(repeatElement(pixel, count: width * height).joined()))
                let source = MemoryByteSource(try LibJPEGEncoder(sampling: sampling, quality: 95).encode(raster))
                let full = Pictures.samples(
                    try Renderer().render(source, options: RenderOptions(targetSize: .maximum)).bitmap)
                for side in [50, 100, 256, 1000] {
                    let options = RenderOptions(
                        targetSize: PixelSize(width: side, height: side), contentMode: .aspectFit)
                    let made = Pictures.samples(try Renderer().render(source, options: options).bitmap)
                    let worst = made.enumerated().map { abs(Int($1) - Int(full[$0 % 3])) }.max()!
                    #expect(worst <= 1, "\(width)x\(height), \(sampling) to \(side)")
                }
            }
        }
    }

    @Test("colours that no screen can show are clipped before they are weighed")
    func clipped() throws {
        // Blown-out lights and deep shadows in strong colours: what coding leaves beyond the bounds must not come back.
        let picture = Pictures.bitmap(160, 120) { x, y, channel in
            let isLight = (x / 9 + y / 7) % 2 == 0
            return isLight ? (channel == (x / 40) % 3 ? 255 : 235) : (channel == (y / 30) % 3 ? 60 : 0)
        }
        let raster = Raster(width: 160, height: 120, channels: 3, bytes: Pictures.samples(picture))
        for subsampling in JPEGEncoder.Subsampling.allCases where subsampling != .grey {
            let bytes = try JPEGEncoder(quality: 40, subsampling: subsampling).encode(raster)
            for shape in Self.shapes(picture.size, seed: 3) {
                let differences = try Self.compared(bytes, shape, eighths: 8)
                if subsampling == .yuv444 { #expect(differences.max()! <= 2, "\(shape)") }
                let mean = differences.reduce(0, +) / Double(differences.count)
                #expect(mean < 2, "\(shape) \(subsampling)")
            }
        }
    }
}
