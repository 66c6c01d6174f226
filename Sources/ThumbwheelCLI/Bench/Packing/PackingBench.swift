import Foundation
import Thumbwheel

/// What thumbnails of 256×256 pixels come to in each code, and what it takes to pack them and to bring them back; beside
/// copying their pixels.
struct PackingBench {
    private let options: BenchOptions
    private let bitmaps: [Bitmap]

    private static let size = PixelSize(width: 256, height: 256)

    /// Photographs without three channels are passed over.
    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        bitmaps = options.photographs.enumerated().compactMap { number, asset in
            progress.show("cache: thumbnail \(number + 1) of \(options.photographs.count)")
            guard let source = try? asset.resource.open(),
                let image = try? Renderer().render(
                    source, head: asset.head, options: RenderOptions(targetSize: Self.size)),
                image.bitmap.size == Self.size, image.bitmap.format == .rgb
            else { return nil }
            return image.bitmap
        }
    }

    func rows() throws -> [BenchRow] {
        guard !bitmaps.isEmpty else { throw BenchError("no photograph of at least 256×256 pixels") }
        return try [JPEGCode.self, PixelRunCode.self, RepeatCode.self, ResidualCode.self].flatMap(rows)
    }

    private func rows(_ code: any PackingCode.Type) throws -> [BenchRow] {
        let packed = try bitmaps.map { try code.init($0) }
        if code != JPEGCode.self {
            for (packed, bitmap) in zip(packed, bitmaps) {
                guard try packed.unpacked().hasSamePixels(as: bitmap) else {
                    throw BenchError("\(code.name) loses something")
                }
            }
        }
        let packing = try Stopwatch.interleaved(rounds: options.rounds) {
            for bitmap in bitmaps { Stopwatch.consume(try code.init(bitmap)) }
        } _: {
            for bitmap in bitmaps { Stopwatch.consume(bitmap.copied()) }
        }
        let unpacking = try Stopwatch.interleaved(rounds: options.rounds) {
            for packed in packed { Stopwatch.consume(try packed.unpacked()) }
        } _: {
            for bitmap in bitmaps { Stopwatch.consume(bitmap.copied()) }
        }
        return [
            BenchRow(
                "cache.packed.\(code.name)", unit: "bytes",
                rounds: [Double(packed.reduce(0) { $0 + $1.byteCount }) / Double(packed.count)],
                operations: packed.count,
                peer: "pixels", peerRounds: [Double(bitmaps[0].byteCount)]),
            row("pack", code, packing),
            row("unpack", code, unpacking),
        ]
    }

    private func row(
        _ verb: String, _ code: any PackingCode.Type, _ times: (one: [Double], other: [Double])
    ) -> BenchRow {
        func each(_ times: [Double]) -> [Double] { times.map { $0 / Double(bitmaps.count) } }
        return BenchRow(
            "cache.\(verb).\(code.name)", unit: "milliseconds", rounds: each(times.one), operations: bitmaps.count,
            peer: "copy of the pixels", peerRounds: each(times.other))
    }
}

extension Bitmap {
    fileprivate func copied() -> Bitmap {
        Bitmap(size: size, format: format) { target in withUnsafeBytes { target.copyMemory(from: $0) } }
    }

    fileprivate func hasSamePixels(as other: Bitmap) -> Bool {
        size == other.size && format == other.format
            && withUnsafeBytes { mine in other.withUnsafeBytes { mine.elementsEqual($0) } }
    }
}
