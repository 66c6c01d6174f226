import ThumbwheelCore
import ThumbwheelFormats

/// A decode of a whole HEIF or AVIF picture without alpha, which can hand out planes or rows of pixels.
final class HEIFRows: PlaneDecoder {
    private let decode: TiledDecode
    let profile: [UInt8]?
    var size: PixelSize { decode.size }
    var storedSize: PixelSize { decode.storedSize }
    var channels: Int { decode.scales.planes.count }
    var scales: PlaneScales { decode.scales }
    var colors: PlaneColors { decode.colors }
    var exactScale: (horizontal: Double, vertical: Double)? {
        let (canvas, stored, ratio) = (decode.image.canvas, decode.storedSize, decode.scales.pixelRatio)
        return (
            ratio * Double(canvas.width) / Double(stored.width), ratio * Double(canvas.height) / Double(stored.height)
        )
    }
    var orientation: ImageOrientation? { decode.image.transform.orientation }
    var calibration: CodedColors? { decode.calibration }
    var means: BlockMeans? { nil }
    var eighths: Int { 8 }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { decode.name }

    init(_ decode: TiledDecode, profile: [UInt8]?) {
        self.decode = decode
        self.profile = profile
    }

    /// Does nothing, so `means` (the mean colours of the picture's blocks) stays nil. The means would have to cover the
    /// whole picture, but this decoder decodes only those tiles of the picture that the requested images need.
    func collectMeans() {}

    func share(with assistants: any RenderAssistants) { decode.assistants = assistants }

    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd { decode.forEachRow(to: consumer) }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var count = 0
        let end = decode.forEachPixelRow(in: rows) { row in
            body(row)
            count += 1
        }
        return (count, end.error)
    }
}

extension TiledDecode {
    /// Decodes rows of interleaved pixels, grey or RGB. It may be called only once.
    ///
    /// - Parameters:
    ///   - columns: the columns that `body` reads; nil for all columns.
    ///   - bytesPerSample: the number of bytes of the samples that `body` takes, 1 or 2.
    func forEachPixelRow(
        in rows: Range<Int>, columns: Range<Int>? = nil, bytesPerSample: Int = 1,
        _ body: (UnsafePointer<UInt8>) -> Void
    ) -> DecodeEnd {
        withoutActuallyEscaping(body) { body in
            let interleaver: any SampleRowConsumer =
                bytesPerSample == 2
                ? WideInterleaver(
                    channels: scales.planes.count, width: size.width, colors: colors, rows: rows, columns: columns,
                    body: body)
                : PixelInterleaver(
                    channels: scales.planes.count, width: size.width, colors: colors, rows: rows, columns: columns,
                    body: body)
            return forEachRow(to: PixelAssembler(scales, size: size, consumer: interleaver))
        }
    }
}
