import Thumbwheel

/// Placeholders: what painting one takes, and what making its hash in passing adds to a render.
struct RenderBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    private static let paintCount = 10_000
    private static let decodeCount = 200
    private static let renderCount = 20

    func rows() throws -> [BenchRow] {
        progress.show("render: making pictures")
        let asset = try BenchPictures(seed: options.seed).small.asset
        let source = try asset.resource.open()
        let target = RenderOptions(targetSize: PixelSize(width: 256, height: 256))
        let image = try Renderer().render(source, head: asset.head, options: target)
        progress.show("render: placeholders")
        return [try paintRow(ThumbHash(image.bitmap), image.bitmap), try makeRow(source, asset.head, target)]
    }

    /// Beside what a page without hashes would carry: a tiny JPEG.
    private func paintRow(_ hash: ThumbHash, _ picture: Bitmap) throws -> BenchRow {
        let small = RenderOptions(targetSize: PixelSize(width: 32, height: 32))
        let tiny = try Renderer().render(
            MemoryByteSource(picture.encoded(as: .png)), options: small
        ).bitmap.encoded(as: .jpeg(quality: 75))
        let times = try Stopwatch.interleaved(rounds: options.rounds) {
            for _ in 0..<Self.paintCount { Stopwatch.consume(Bitmap(hash)) }
        } _: {
            for _ in 0..<Self.decodeCount {
                Stopwatch.consume(try Renderer().render(MemoryByteSource(tiny), options: small))
            }
        }
        return BenchRow(
            "render.placeholder", unit: "microseconds", rounds: times.one.map { $0 * 1000 / Double(Self.paintCount) },
            operations: Self.paintCount, peer: "a JPEG of 32 pixels",
            peerRounds: times.other.map { $0 * 1000 / Double(Self.decodeCount) })
    }

    private func makeRow(_ source: any ByteSource, _ head: ImageHead, _ target: RenderOptions) throws -> BenchRow {
        func render(makesThumbHash: Bool) throws {
            for _ in 0..<Self.renderCount {
                Stopwatch.consume(
                    try Renderer().render(source, head: head, options: target, makesThumbHash: makesThumbHash))
            }
        }
        let times = try Stopwatch.interleaved(rounds: options.rounds) {
            try render(makesThumbHash: true)
        } _: {
            try render(makesThumbHash: false)
        }
        return BenchRow(
            "render.withHash", unit: "milliseconds", rounds: times.one.map { $0 / Double(Self.renderCount) },
            operations: Self.renderCount, peer: "without",
            peerRounds: times.other.map { $0 / Double(Self.renderCount) })
    }
}
