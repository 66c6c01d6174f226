import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Resampler")
struct ResamplerTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var input: PixelSize
        var box: SourceBox
        var output: PixelSize
        var testDescription: String { "\(input) to \(output)" }
    }

    static let shapes: [Shape] = {
        var random = SplitMix(state: 7)
        var shapes: [Shape] = []
        for _ in 0..<40 {
            let input = PixelSize(
                width: .random(in: 1...90, using: &random), height: .random(in: 1...90, using: &random))
            let width = Double.random(in: 0.2...1, using: &random) * Double(input.width)
            let height = Double.random(in: 0.2...1, using: &random) * Double(input.height)
            let box = SourceBox(
                x: .random(in: 0...1, using: &random) * (Double(input.width) - width),
                y: .random(in: 0...1, using: &random) * (Double(input.height) - height), width: width, height: height)
            // Reductions up to 4, where no box reduction comes first, and enlargements.
            let output = PixelSize(
                width: max(1, Int((width / .random(in: 0.4...3.9, using: &random)).rounded(.up))),
                height: max(1, Int((height / .random(in: 0.4...3.9, using: &random)).rounded(.up))))
            shapes.append(Shape(input: input, box: box, output: output))
        }
        return shapes
    }()

    /// The same thing by its definition, in double precision: `samples` of `channels`, not premultiplied.
    static func reference(_ source: Bitmap, _ shape: Shape) -> [Double] {
        let channels = source.format.bytesPerPixel
        let samples = Pictures.samples(source).map(Double.init)
        func weights(_ start: Double, _ length: Double, _ count: Int, _ output: Int) -> [[(Int, Double)]] {
            let step = length / Double(output)
            let stretch = max(1, step)
            return (0..<output).map { index in
                let centre = start + (Double(index) + 0.5) * step
                let taps = (0..<count).map { ($0, Lanczos3.weight(at: (Double($0) + 0.5 - centre) / stretch)) }
                let sum = taps.reduce(0) { $0 + $1.1 }
                return taps.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
            }
        }
        let columns = weights(shape.box.x, shape.box.width, shape.input.width, shape.output.width)
        let rows = weights(shape.box.y, shape.box.height, shape.input.height, shape.output.height)
        var result: [Double] = []
        for row in rows {
            for column in columns {
                for channel in 0..<channels {
                    var sum = 0.0
                    for (y, vertical) in row {
                        for (x, horizontal) in column {
                            sum += vertical * horizontal * samples[(y * shape.input.width + x) * channels + channel]
                        }
                    }
                    result.append(min(255, max(0, sum)))
                }
            }
        }
        return result
    }

    static func resample(
        _ source: Bitmap, _ shape: Shape, isLinear: Bool = false,
        orientation: ImageOrientation = .up
    ) -> Bitmap {
        let plan = ResamplingPlan(
            decodedSize: shape.input, channels: source.format.bytesPerPixel, box: shape.box, outputSize: shape.output,
            isLinear: isLinear)
        return Bitmap(size: orientation.displaySize(of: shape.output), format: plan.format) { pixels in
            let store = OrientedStore(
                pixels, storedSize: shape.output, format: plan.format, orientation: orientation)
            let consumer = plan.makeConsumer(storingInto: store)
            source.withUnsafeBytes { bytes in
                let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
                for row in consumer.neededRows { consumer.consume(base + row * source.bytesPerRow) }
            }
        }
    }

    @Test("Lanczos in fixed point is within 1 of double precision", arguments: shapes)
    func lanczos(_ shape: Shape) {
        let source = Pictures.noise(shape.input.width, shape.input.height, seed: 11)
        let made = Pictures.samples(Self.resample(source, shape))
        let exact = Self.reference(source, shape)
        #expect(zip(made, exact).allSatisfy { abs(Double($0) - $1) <= 1 })
    }

    @Test("black, white and grey stay what they are", arguments: [0, 1, 37, 128, 200, 254, 255])
    func flat(level: Int) {
        let source = Pictures.bitmap(97, 61) { _, _, _ in level }
        for (width, height) in [(40, 30), (7, 5), (130, 90), (96, 61)] {
            let shape = Shape(
                input: source.size, box: SourceBox(x: 0.3, y: 0.7, width: 96.2, height: 60.1),
                output: PixelSize(width: width, height: height))
            let made = Pictures.samples(Self.resample(source, shape))
            #expect(made.allSatisfy { Int($0) == level })
        }
    }

    @Test(
        "one colour stays what it is at every size and ratio, with alpha and in light, to a level",
        arguments: [1, 2, 3, 4])
    func constant(channels: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        print("constant pictures from seed \(seed)")
        func side(_ most: Double) -> Int { Int(exp(random.value(in: 0...log(most)))) }
        for round in 0..<160 {
            let strips = [(65500, 1), (65500, 4), (1, 30000), (9, 30000)]
            var (width, height) = round < strips.count ? strips[round] : (side(65535), side(65535))
            if width * height > 1 << 20 { (width, height) = (width, max(1, (1 << 20) / width)) }
            if width * height > 1 << 20 { width = (1 << 20) / height }
            if round % 2 == 0, round >= strips.count { swap(&width, &height) }
            var output = PixelSize(width: side(1500), height: side(300))
            if round < strips.count {
                output = width > height ? PixelSize(width: 50, height: 1) : PixelSize(width: 1, height: 50)
            }
            let part = round % 3 == 0 ? 1.0 : random.value(in: 0.3...1)
            let box = SourceBox(
                x: random.value(in: 0...1) * (1 - part) * Double(width),
                y: random.value(in: 0...1) * (1 - part) * Double(height), width: part * Double(width),
                height: part * Double(height))
            let colour = [10, 99, 201, 255].map { round % 4 == 0 ? $0 : random.index(below: 256) }
            let opacity = round % 5 == 0 ? 255 : 60 + random.index(below: 196)
            for isLinear in [false, true] {
                let plan = ResamplingPlan(
                    decodedSize: PixelSize(width: width, height: height), channels: channels, box: box,
                    outputSize: output, isLinear: isLinear)
                let pixel = channels < 3 ? [colour[0], opacity] : [colour[0], colour[1], colour[2], opacity]
                let row = (0..<width).flatMap { _ in pixel.prefix(channels).map(UInt8.init) }
                let made = Bitmap(size: output, format: plan.format) { pixels in
                    let consumer = plan.makeConsumer(
                        storingInto: OrientedStore(pixels, storedSize: output, format: plan.format, orientation: .up))
                    row.withUnsafeBufferPointer { row in
                        for _ in consumer.neededRows { consumer.consume(row.baseAddress!) }
                    }
                }
                let wanted = channels < 3 ? [colour[0], colour[0], colour[0], opacity] : pixel
                let bytes = plan.format.bytesPerPixel
                let worst = Pictures.samples(made).enumerated().map { abs(Int($1) - wanted[$0 % bytes]) }.max()!
                // The lower the alpha, the fewer levels its colours can be told by.
                let tolerance = bytes == 4 ? 1 + 120 / opacity : 1
                #expect(
                    worst <= tolerance,
                    "\(width)x\(height), \(box) to \(output), linear \(isLinear), alpha \(opacity), seed \(seed)")
            }
        }
    }

    @Test("a box of whole pixels at scale 1 is copied without a change")
    func copy() {
        let source = Pictures.noise(40, 30, seed: 3)
        let shape = Shape(
            input: source.size, box: SourceBox(x: 5, y: 7, width: 20, height: 11),
            output: PixelSize(width: 20, height: 11))
        let made = Self.resample(source, shape)
        let cut = Pictures.samples(source)
        let expected = Pictures.bitmap(20, 11) { x, y, channel in Int(cut[((y + 7) * 40 + x + 5) * 3 + channel]) }
        #expect(Pictures.largestDifference(made, expected) == 0)
    }

    @Test("a crop moved by a quarter of a pixel moves a gradient by a quarter of its step")
    func fractionalCrop() {
        // 8 levels a pixel: a quarter of a pixel is 2 levels.
        let source = Pictures.bitmap(30, 30) { x, y, channel in channel == 0 ? x * 8 : y * 8 }
        for offset in [0.25, 0.5, 0.75] {
            let shape = Shape(
                input: source.size, box: SourceBox(x: 8 + offset, y: 8 + offset, width: 14, height: 14),
                output: PixelSize(width: 14, height: 14))
            let made = Pictures.samples(Self.resample(source, shape))
            for index in 0..<14 {
                let expected = Double(8 + index) * 8 + offset * 8
                #expect(abs(Double(made[index * 3]) - expected) <= 1)
                #expect(abs(Double(made[index * 14 * 3 + 1]) - expected) <= 1)
            }
        }
    }

    @Test("large reductions average whole blocks first and stay close to the exact result")
    func boxReduction() {
        let source = Pictures.scene(331, 257)
        let shape = Shape(
            input: source.size, box: SourceBox(x: 3.5, y: 2.25, width: 320, height: 250.5),
            output: PixelSize(width: 32, height: 25))
        let made = Pictures.samples(Self.resample(source, shape))
        let exact = Self.reference(source, shape)
        #expect(zip(made, exact).allSatisfy { abs(Double($0) - $1) <= 2 })
    }

    @Test("transparent pixels lend no colour to their neighbours")
    func alpha() {
        // Opaque red beside transparent green: anything visible must be red.
        let source = Pictures.bitmap(32, 8, format: .rgba) { x, _, channel in
            x < 16 ? [255, 0, 0, 255][channel] : [0, 255, 0, 0][channel]
        }
        let shape = Shape(
            input: source.size, box: SourceBox(x: 0, y: 0, width: 32, height: 8),
            output: PixelSize(width: 12, height: 3))
        let made = Pictures.samples(Self.resample(source, shape))
        for pixel in stride(from: 0, to: made.count, by: 4) where made[pixel + 3] > 2 {
            #expect(made[pixel] >= 254 && made[pixel + 1] <= 1)
        }
        #expect(made[3] == 255 && made[11 * 4 + 3] == 0)
    }

    @Test("opaque pixels with alpha come out as those without")
    func opaqueAlpha() {
        let opaque = Pictures.scene(60, 40)
        let plain = Pictures.samples(opaque)
        let withAlpha = Pictures.bitmap(60, 40, format: .rgba) { x, y, channel in
            channel == 3 ? 255 : Int(plain[(y * 60 + x) * 3 + channel])
        }
        let shape = Shape(
            input: opaque.size, box: SourceBox(x: 1.5, y: 0.5, width: 50, height: 39),
            output: PixelSize(width: 21, height: 17))
        let one = Pictures.samples(Self.resample(opaque, shape))
        let other = Pictures.samples(Self.resample(withAlpha, shape))
        for pixel in 0..<21 * 17 {
            for channel in 0..<3 { #expect(abs(Int(one[pixel * 3 + channel]) - Int(other[pixel * 4 + channel])) <= 1) }
            #expect(other[pixel * 4 + 3] == 255)
        }
    }

    @Test("linear light averages light: black and white make 188, not 128")
    func linear() {
        let source = Pictures.bitmap(64, 64) { x, y, _ in (x + y) % 2 * 255 }
        let shape = Shape(
            input: source.size, box: SourceBox(x: 0, y: 0, width: 64, height: 64),
            output: PixelSize(width: 8, height: 8))
        let linear = Pictures.samples(Self.resample(source, shape, isLinear: true))
        let encoded = Pictures.samples(Self.resample(source, shape))
        #expect(linear.allSatisfy { abs(Int($0) - 188) <= 2 })
        #expect(encoded.allSatisfy { abs(Int($0) - 128) <= 2 })
    }

    @Test("the output is stored upright for each of the eight orientations", arguments: ImageOrientation.allCases)
    func orientations(_ orientation: ImageOrientation) {
        for format in [Bitmap.PixelFormat.rgb, .rgba] {
            let source = Pictures.scene(45, 33, format: format)
            let shape = Shape(
                input: source.size, box: SourceBox(x: 2, y: 1.5, width: 40, height: 30.25),
                output: PixelSize(width: 19, height: 13))
            let stored = Self.resample(source, shape)
            let made = Self.resample(source, shape, orientation: orientation)
            #expect(Pictures.largestDifference(made, Pictures.upright(stored, orientation)) == 0)
        }
    }
}
