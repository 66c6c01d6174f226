import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Fixed point against floating point, which weighs the same taps.
@Suite("Resampling light and alpha in fixed point")
struct FixedPointTests {
    private func resample(
        _ source: Bitmap, _ shape: ResamplerTests.Shape, isLinear: Bool, channels: Int, inFloat: Bool
    ) -> [Int] {
        var plan = ResamplingPlan(
            decodedSize: shape.input, channels: channels, box: shape.box, outputSize: shape.output, isLinear: isLinear)
        plan.headroom = 3
        let rows = source.withUnsafeBytes { Array($0) }
        let bitmap = Bitmap(size: shape.output, format: plan.format) { pixels in
            let store = OrientedStore(pixels, storedSize: shape.output, format: plan.format, orientation: .up)
            let consumer: any RowConsumer =
                inFloat ? FloatResampler(plan, store: store) : FixedPointResampler(plan, store: store)
            rows.withUnsafeBufferPointer { rows in
                for row in consumer.neededRows { consumer.consume(rows.baseAddress! + row * source.bytesPerRow) }
            }
        }
        return Pictures.samples(bitmap).map(Int.init)
    }

    /// A row of it serves as grey pixels, with or without alpha, as well.
    private func picture(_ shape: ResamplerTests.Shape, _ index: Int) -> Bitmap {
        let size = shape.input
        if index % 3 == 0 { return Pictures.noise(size.width, size.height, seed: UInt64(index)) }
        return Pictures.scene(size.width, size.height)
    }

    @Test("alpha: within a level of alpha, and of colour in proportion to it", arguments: [2, 4])
    func alpha(channels: Int) {
        for (index, shape) in ResamplerTests.shapes.enumerated() {
            let size = shape.input
            let noise = Pictures.noise(size.width, size.height, seed: UInt64(index))
            let source = Pictures.bitmap(size.width, size.height, format: .rgba) { x, y, channel in
                noise.withUnsafeBytes { Int($0[(y * size.width + x) * 3 + channel % 3]) }
            }
            let made = resample(source, shape, isLinear: false, channels: channels, inFloat: false)
            let exact = resample(source, shape, isLinear: false, channels: channels, inFloat: true)
            for pixel in stride(from: 0, to: made.count, by: 4) {
                let opacity = exact[pixel + 3]
                #expect(abs(made[pixel + 3] - opacity) <= 1)
                guard opacity > 2 else { continue }
                let tolerance = 1 + 120 / opacity
                for channel in pixel..<pixel + 3 {
                    #expect(
                        abs(made[channel] - exact[channel]) <= tolerance,
                        "\(made[channel]) for \(exact[channel]) under \(opacity) in \(shape)")
                }
            }
        }
    }

    @Test("flat colour stays what it is, in light and under every alpha")
    func flat() {
        let shape = ResamplerTests.Shape(
            input: PixelSize(width: 90, height: 70), box: SourceBox(x: 0.5, y: 0.25, width: 88, height: 69),
            output: PixelSize(width: 11, height: 9))
        for value in [0, 1, 5, 40, 128, 254, 255] {
            let plain = Pictures.bitmap(90, 70) { _, _, _ in value }
            let light = resample(plain, shape, isLinear: true, channels: 3, inFloat: true)
            #expect(light.allSatisfy { $0 == value }, "light \(value): \(Set(light))")
            for opacity in [1, 17, 128, 255] {
                let veiled = Pictures.bitmap(90, 70, format: .rgba) { _, _, channel in channel == 3 ? opacity : value }
                let made = resample(veiled, shape, isLinear: false, channels: 4, inFloat: false)
                for pixel in stride(from: 0, to: made.count, by: 4) {
                    #expect(made[pixel + 3] == opacity)
                    #expect(abs(made[pixel] - value) <= 1 + 48 / opacity, "\(value) under \(opacity)")
                }
            }
        }
    }

    @Test("large reductions of light and of alpha stay close to the exact result")
    func reductions() {
        let shape = ResamplerTests.Shape(
            input: PixelSize(width: 331, height: 257), box: SourceBox(x: 3.5, y: 2.25, width: 320, height: 250.5),
            output: PixelSize(width: 32, height: 25))
        for (isLinear, channels) in [(true, 1), (true, 3), (false, 4), (false, 2)] {
            let source = Pictures.scene(331, 257, format: channels % 2 == 0 ? .rgba : .rgb)
            let made = resample(source, shape, isLinear: isLinear, channels: channels, inFloat: false)
            let exact = resample(source, shape, isLinear: isLinear, channels: channels, inFloat: true)
            // A grey picture is a row of bytes that jumps at the end of each pixel: reduced, it tells less.
            guard channels > 2 else { continue }
            #expect(zip(made, exact).allSatisfy { abs($0 - $1) <= 4 })
        }
    }
}
