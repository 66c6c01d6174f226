import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("Resampling a JPEG's planes")
struct PlaneResamplerTests {
    private static let guardian = DecodeGuard(cancellation: nil, duration: .seconds(30))

    private static func decode(_ bytes: [UInt8], eighths: Int, shownScale: Double = 1) throws -> JPEGDecode {
        try #require(
            try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, shownScale: shownScale, guardian: guardian))
    }

    /// The same part of the decode made of its planes, and by the definition of its pixels.
    private static func compared(
        _ bytes: [UInt8], _ shape: ResamplerTests.Shape, eighths: Int, shownScale: Double = 1
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
        let decode = try decode(bytes, eighths: eighths, shownScale: shownScale)
        let plan = ResamplingPlan(
            decodedSize: shape.input, channels: pixels.channels, box: shape.box, outputSize: shape.output,
            isLinear: false)
        let made = Bitmap(size: shape.output, format: .rgb) { target in
            let store = OrientedStore(target, storedSize: shape.output, format: .rgb, orientation: .up)
            guard
                let resampler = PlaneResampler(
                    plan, scales: decode.scales, isRGB: decode.header.isRGB, store: store)
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
        for subsampling in JPEGEncoder.Subsampling.allCases where ![.grey, .yuv411].contains(subsampling) {
            let bytes = try JPEGEncoder(quality: 95, subsampling: subsampling).encode(picture)
            for shownScale in [1, 0.01] {
                let differences = try Self.shapes(Self.size(211, 158, eighths: eighths), seed: 7).flatMap {
                    try Self.compared(bytes, $0, eighths: eighths, shownScale: shownScale)
                }
                let mean = differences.reduce(0, +) / Double(differences.count)
                // At 1/8 there are few pixels, and chroma from across their edges counts.
                #expect(mean < (eighths == 1 ? 3 : 1), "\(subsampling), shown at \(shownScale)")
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
        for subsampling in JPEGEncoder.Subsampling.allCases where ![.grey, .yuv411].contains(subsampling) {
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
