import Thumbwheel

extension MicroBenchmark {
    private static let headRounds = 20

    static func heads(_ pictures: FixturePictures) -> [MicroBenchmark] {
        [
            MicroBenchmark("heads", operations: headRounds * pictures.all.count) {
                {
                    for _ in 0..<headRounds {
                        for source in pictures.all { Stopwatch.consume(try ImageHead(reading: source)) }
                    }
                    return ()
                }
            }
        ]
    }

    /// What our own decoders do: those of other libraries choose their instructions by the processor.
    static func rendering(_ pictures: FixturePictures) -> [MicroBenchmark] {
        [
            render("render.baseline.high", pictures.baseline, .high),
            render("render.baseline.fast", pictures.baseline, .fast),
            render("render.progressive.high", pictures.progressive, .high),
            render("render.large.high", pictures.large, .high),
            render("render.small.high", pictures.small, .high),
            render("render.wideGamut.high", pictures.wideGamut, .high),
            MicroBenchmark("render.preview", memory: .peak) {
                let options = options(.high)
                return { try Renderer().renderPreview(pictures.baseline, options: options) }
            },
            MicroBenchmark("render.baseline.withHash") {
                let options = options(.high)
                return { try Renderer().render(pictures.baseline, options: options, makesThumbHash: true) }
            },
            MicroBenchmark("placeholder.paint") {
                let hash = try Renderer().thumbHash(of: pictures.baseline)
                return { Bitmap(hash) }
            },
        ]
    }

    private static func render(_ name: String, _ source: any ByteSource, _ quality: RenderQuality) -> MicroBenchmark {
        MicroBenchmark(name, memory: .peak) {
            let options = options(quality)
            return { try Renderer().render(source, options: options) }
        }
    }

    private static func options(_ quality: RenderQuality) -> RenderOptions {
        RenderOptions(targetSize: PixelSize(width: 256, height: 256), quality: quality) {
            $0.usesEmbeddedPreviews = false
        }
    }
}
