import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Rendition geometry")
struct RenditionGeometryTests {
    /// What a request comes to, as one line: the region shown, the output size and the decode's eighths.
    struct Case: Sendable, CustomTestStringConvertible {
        var image: PixelSize
        var options: RenderOptions
        var type = ContentType.jpeg
        var box: SourceBox
        var output: PixelSize
        var eighths: Int
        var isNatural = false

        var testDescription: String {
            "\(image) to \(options.targetSize) \(options.contentMode) \(options.resizeMode) \(options.quality)"
        }
    }

    static func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }
    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> SourceBox {
        SourceBox(x: x, y: y, width: width, height: height)
    }

    static let cases: [Case] = [
        // Exact, fill: the centred part of the target's aspect, to the pixel.
        Case(
            image: size(4000, 3000), options: RenderOptions(targetSize: size(256, 256)), box: box(500, 0, 3000, 3000),
            output: size(256, 256), eighths: 2),
        Case(
            image: size(3000, 4000), options: RenderOptions(targetSize: size(200, 100)),
            box: box(0, 1250, 3000, 1500), output: size(200, 100), eighths: 2),
        // Exact, fit: the constraining scale, rounded to nearest.
        Case(
            image: size(4000, 3000), options: RenderOptions(targetSize: size(251, 251), contentMode: .aspectFit),
            box: box(0, 0, 4000, 3000), output: size(251, 188), eighths: 2),
        Case(
            image: size(1000, 1), options: RenderOptions(targetSize: size(100, 100), contentMode: .aspectFit),
            box: box(0, 0, 1000, 1), output: size(100, 1), eighths: 8),
        // Held at native size.
        Case(
            image: size(300, 200), options: RenderOptions(targetSize: size(256, 256)), box: box(50, 0, 200, 200),
            output: size(200, 200), eighths: 8),
        Case(
            image: size(300, 200), options: RenderOptions(targetSize: size(900, 900), contentMode: .aspectFit),
            box: box(0, 0, 300, 200), output: size(300, 200), eighths: 8),
        Case(
            image: size(100, 100), options: RenderOptions(targetSize: size(400, 300)), box: box(0, 12.5, 100, 75),
            output: size(100, 75), eighths: 8),
        // Enlarged where that is allowed.
        Case(
            image: size(300, 200), options: RenderOptions(targetSize: size(400, 400)) { $0.allowsUpscaling = true },
            box: box(50, 0, 200, 200), output: size(400, 400), eighths: 8),
        Case(
            image: size(300, 200),
            options: RenderOptions(targetSize: size(600, 600), contentMode: .aspectFit) { $0.allowsUpscaling = true },
            box: box(0, 0, 300, 200), output: size(600, 400), eighths: 8),
        // The crop comes first, then fill or fit within it.
        Case(
            image: size(4000, 3000),
            options: RenderOptions(
                targetSize: size(100, 100), normalizedCropRect: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5)),
            box: box(2250, 0, 1500, 1500), output: size(100, 100), eighths: 2),
        Case(
            image: size(1001, 777),
            options: RenderOptions(
                targetSize: size(100, 100), contentMode: .aspectFit,
                normalizedCropRect: NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)),
            box: box(250.25, 194.25, 500.5, 388.5), output: size(100, 78), eighths: 4),
        // Ignored unless exact.
        Case(
            image: size(4000, 3000),
            options: RenderOptions(
                targetSize: size(1000, 1000), contentMode: .aspectFit, resizeMode: .fast,
                normalizedCropRect: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5)),
            box: box(0, 0, 4000, 3000), output: size(1000, 750), eighths: 2, isNatural: true),
        // Sampling and quality choose the decode.
        Case(
            image: size(4000, 4000), options: RenderOptions(targetSize: size(500, 500), quality: .fast),
            box: box(0, 0, 4000, 4000), output: size(500, 500), eighths: 1),
        Case(
            image: size(4000, 4000), options: RenderOptions(targetSize: size(501, 501)), box: box(0, 0, 4000, 4000),
            output: size(501, 501), eighths: 4),
        Case(
            image: size(4000, 4000), options: RenderOptions(targetSize: size(500, 500)) { $0.sampling = .best },
            box: box(0, 0, 4000, 4000), output: size(500, 500), eighths: 4),
        Case(
            image: size(4000, 4000), options: RenderOptions(targetSize: size(500, 500)), type: .png,
            box: box(0, 0, 4000, 4000), output: size(500, 500), eighths: 8),
        // None: the smallest natural scale not below the constraining one, the whole image.
        Case(
            image: size(4001, 3000), options: RenderOptions(targetSize: size(600, 600), resizeMode: .none),
            box: box(0, 0, 4001, 3000), output: size(1001, 750), eighths: 2, isNatural: true),
        Case(
            image: size(4000, 3000), options: RenderOptions(targetSize: size(10, 10), resizeMode: .none),
            box: box(0, 0, 4000, 3000), output: size(500, 375), eighths: 1, isNatural: true),
        Case(
            image: size(400, 300), options: RenderOptions(targetSize: size(10, 10), resizeMode: .none), type: .png,
            box: box(0, 0, 400, 300), output: size(400, 300), eighths: 8, isNatural: true),
        // Fast: a natural scale from the constraining one up to less than twice it, else that scale itself.
        Case(
            image: size(4000, 3000), options: RenderOptions(targetSize: size(300, 300), resizeMode: .fast),
            box: box(0, 0, 4000, 3000), output: size(500, 375), eighths: 1, isNatural: true),
        Case(
            image: size(4000, 3000), options: RenderOptions(targetSize: size(120, 120), resizeMode: .fast),
            box: box(0, 0, 4000, 3000), output: size(160, 120), eighths: 1),
        Case(
            image: size(400, 300), options: RenderOptions(targetSize: size(120, 120), resizeMode: .fast), type: .png,
            box: box(0, 0, 400, 300), output: size(160, 120), eighths: 8),
        // The largest rendering there is.
        Case(
            image: size(400, 300), options: RenderOptions(targetSize: .maximum), box: box(0, 0, 400, 300),
            output: size(400, 300), eighths: 8, isNatural: true),
        Case(
            image: size(400, 300),
            options: RenderOptions(
                targetSize: .maximum, normalizedCropRect: NormalizedRect(x: 0, y: 0.5, width: 0.25, height: 0.5)),
            box: box(0, 150, 100, 150), output: size(100, 150), eighths: 8),
    ]

    @Test("a request comes to the region, size and decode that the decisions say", arguments: cases)
    func table(_ expected: Case) throws {
        let geometry = try RenditionGeometry(
            displaySize: expected.image, options: expected.options,
            naturalEighths: expected.type == .jpeg ? VipsLoader.jpeg.eighths : [8])
        #expect(geometry.outputSize == expected.output)
        #expect(geometry.decodeEighths == expected.eighths)
        #expect(geometry.isNatural == expected.isNatural)
        let box = geometry.sourceBox
        #expect(abs(box.x - expected.box.x) < 1e-9 && abs(box.y - expected.box.y) < 1e-9)
        #expect(abs(box.width - expected.box.width) < 1e-9 && abs(box.height - expected.box.height) < 1e-9)
    }

    @Test(
        "targets without pixels and crops without area are refused",
        arguments: [
            RenderOptions(targetSize: .zero), RenderOptions(targetSize: PixelSize(width: 10, height: -1)),
            RenderOptions(
                targetSize: PixelSize(width: 10, height: 10),
                normalizedCropRect: NormalizedRect(x: 0, y: 0, width: 0, height: 1)),
            RenderOptions(
                targetSize: PixelSize(width: 10, height: 10),
                normalizedCropRect: NormalizedRect(x: .nan, y: 0, width: 1, height: 1)),
            RenderOptions(
                targetSize: PixelSize(width: 10, height: 10),
                normalizedCropRect: NormalizedRect(x: 1.5, y: 0, width: 1, height: 1)),
        ])
    func refusals(_ options: RenderOptions) {
        #expect {
            try RenditionGeometry(displaySize: PixelSize(width: 100, height: 100), options: options)
        } throws: { error in
            if case .invalidRequest = error as? RenderError { true } else { false }
        }
    }

    @Test("whatever is asked for, the result keeps its promises", arguments: [UInt64(1), 2, 3])
    func properties(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<4000 {
            let image = Self.size(.random(in: 1...6000, using: &random), .random(in: 1...6000, using: &random))
            var options = RenderOptions(
                targetSize: Self.size(.random(in: 1...2000, using: &random), .random(in: 1...2000, using: &random)))
            options.contentMode = ContentMode.allCases.randomElement(using: &random)!
            options.resizeMode = ResizeMode.allCases.randomElement(using: &random)!
            options.quality = RenderQuality.allCases.randomElement(using: &random)!
            options.sampling = Sampling.allCases.randomElement(using: &random)!
            options.allowsUpscaling = .random(using: &random)
            if .random(using: &random) {
                options.normalizedCropRect = NormalizedRect(
                    x: .random(in: 0..<0.9, using: &random), y: .random(in: 0..<0.9, using: &random),
                    width: .random(in: 0.05...1, using: &random), height: .random(in: 0.05...1, using: &random))
            }
            let naturals = Bool.random(using: &random) ? [8] : [1, 2, 4, 8]
            let geometry = try RenditionGeometry(displaySize: image, options: options, naturalEighths: naturals)
            check(geometry, image: image, options: options, naturals: naturals, seed: seed)
        }
    }

    private func check(
        _ geometry: RenditionGeometry, image: PixelSize, options: RenderOptions, naturals: [Int], seed: UInt64
    ) {
        let target = options.targetSize
        let output = geometry.outputSize
        let box = geometry.sourceBox
        let comment: Comment = "seed \(seed): \(image) \(options)"
        #expect(output.width >= 1 && output.height >= 1, comment)
        #expect(naturals.contains(geometry.decodeEighths), comment)
        #expect(box.x >= -1e-9 && box.y >= -1e-9, comment)
        #expect(box.x + box.width <= Double(image.width) + 1e-6, comment)
        #expect(box.y + box.height <= Double(image.height) + 1e-6, comment)
        #expect(options.allowsUpscaling || geometry.scale <= 1, comment)
        switch options.resizeMode {
        case .exact:
            #expect(!geometry.isNatural, comment)
            #expect(output.width <= target.width && output.height <= target.height, comment)
            if options.contentMode == .aspectFill, options.allowsUpscaling { #expect(output == target, comment) }
            // One scale for both directions, up to the rounding of the output to whole pixels.
            let horizontal = Double(output.width) - box.width * geometry.scale
            let vertical = Double(output.height) - box.height * geometry.scale
            #expect(abs(horizontal) <= 1 && abs(vertical) <= 1, comment)
        case .fast:
            let share = max(Double(output.width) / box.width, Double(output.height) / box.height)
            if min(output.width, output.height) > 50 {
                #expect(share > geometry.scale * 0.98 && share < geometry.scale * 2.02, comment)
            }
            #expect(box.width == Double(image.width) && box.height == Double(image.height), comment)
        case .none:
            #expect(geometry.isNatural, comment)
            let smaller = naturals.last { $0 < geometry.decodeEighths }
            #expect(geometry.decodeEighths == 8 || Double(geometry.decodeEighths) / 8 >= geometry.scale, comment)
            if let smaller, min(image.width, image.height) * smaller >= 8 {
                #expect(Double(smaller) / 8 < geometry.scale, comment)
            }
        }
    }
}
