import ThumbwheelCore
import ThumbwheelFormats

/// Decodes a HEIF or AVIF picture to rows of pixels. This decoder is used for thumbnails, for pictures with alpha, and
/// for pictures that the file crops. `HEIFRows` decodes all other pictures.
///
/// The alpha has been decoded before and is kept as a whole, because its tiles may have other borders than the tiles of
/// the colours.
final class HEIFPixels: RowDecoder {
    private let decode: TiledDecode
    private let alpha: HEIFAlpha?
    private let alphaDamage: RenderError?
    let profile: [UInt8]?
    let channels: Int
    let bytesPerSample: Int
    // The column and the row of the decode at which the shown part of the picture begins.
    private let origin: (x: Int, y: Int)
    let size: PixelSize
    var storedSize: PixelSize { size }
    var orientation: ImageOrientation? { decode.image.transform.orientation }
    var eighths: Int { 8 }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { decode.name }
    var calibration: CodedColors? { decode.calibration }
    private let isPremultiplied: Bool
    // The columns of the shown part that the caller uses.
    private var columns: Range<Int>

    /// Makes the decoder.
    ///
    /// - Parameters:
    ///   - decode: the decode of the colours, at full size. What the file shows of the picture must lie inside it.
    ///   - alpha: the decoded alpha item; nil if the picture has no alpha. Its samples must have as many bytes as those
    ///     that are handed out.
    ///   - alphaDamage: the error that ended the decode of the alpha, if an opaque alpha has taken its place. It is
    ///     returned after the last row, so that the image counts as partial.
    ///   - isPremultiplied: whether the colours in the file are multiplied by alpha.
    ///   - profile: the ICC profile that the caller has to apply to the image; nil if there is none.
    ///   - keepsAllBits: whether samples of 16 bits are handed out instead of 8 bits.
    init(
        _ decode: TiledDecode, alpha: HEIFAlpha?, alphaDamage: RenderError? = nil, isPremultiplied: Bool,
        profile: [UInt8]?, keepsAllBits: Bool = false
    ) {
        precondition(alpha == nil || alpha?.bytesPerSample == (keepsAllBits ? 2 : 1))
        self.decode = decode
        bytesPerSample = keepsAllBits ? 2 : 1
        self.isPremultiplied = isPremultiplied
        self.profile = profile
        let transform = decode.image.transform
        precondition(
            transform.x + transform.shownSize.width <= decode.size.width
                && transform.y + transform.shownSize.height <= decode.size.height, "a decode smaller than what is shown"
        )
        origin = (transform.x, transform.y)
        size = transform.shownSize
        channels = decode.scales.planes.count + (alpha == nil ? 0 : 1)
        columns = 0..<size.width
        self.alpha = alpha
        self.alphaDamage = alphaDamage
    }

    func narrow(to columns: Range<Int>) { self.columns = columns.clamped(to: 0..<size.width) }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        bytesPerSample == 2 ? forEachRow(in: rows, of: UInt16.self, body) : forEachRow(in: rows, of: UInt8.self, body)
    }

    @inline(__always)
    private func forEachRow<Sample: FixedWidthInteger & UnsignedInteger>(
        in rows: Range<Int>, of type: Sample.Type, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var line = [Sample](repeating: 0, count: size.width * channels)
        var y = rows.lowerBound
        let (first, end) = (rows.lowerBound + origin.y, rows.upperBound + origin.y)
        let needed = columns.lowerBound + origin.x..<columns.upperBound + origin.x
        let decoded = decode.forEachPixelRow(in: first..<end, columns: needed, bytesPerSample: bytesPerSample) { row in
            line.withUnsafeMutableBufferPointer { line in
                let samples = UnsafeRawPointer(row).assumingMemoryBound(to: Sample.self)
                write(samples + origin.x * decode.scales.planes.count, y: y, into: line)
                body(UnsafeRawPointer(line.baseAddress!).assumingMemoryBound(to: UInt8.self))
            }
            y += 1
        }
        return (y - rows.lowerBound, decoded.error ?? alphaDamage)
    }

    @inline(__always)
    private func write<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafePointer<Sample>, y: Int, into line: UnsafeMutableBufferPointer<Sample>
    ) {
        let colorCount = decode.scales.planes.count
        guard let alpha else {
            for index in columns.lowerBound * colorCount..<columns.upperBound * colorCount { line[index] = row[index] }
            return
        }
        // If the alpha has another size than the colours, it is stretched, as in libheif.
        let canvas = decode.size
        let alphaRow = (y + origin.y) * alpha.size.height / canvas.height * alpha.size.width
        alpha.samples.withUnsafeBytes { samples in
            for x in columns {
                let place = alphaRow + (x + origin.x) * alpha.size.width / canvas.width
                let opacity = samples.loadUnaligned(fromByteOffset: place * MemoryLayout<Sample>.size, as: Sample.self)
                let target = x * channels
                for color in 0..<colorCount {
                    let sample = row[x * colorCount + color]
                    line[target + color] = isPremultiplied ? Self.undone(sample, opacity) : sample
                }
                line[target + colorCount] = opacity
            }
        }
    }

    /// Divides a colour by its opacity, to undo premultiplied alpha.
    @inline(__always)
    private static func undone<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sample: Sample, _ opacity: Sample
    ) -> Sample {
        guard opacity > 0 else { return 0 }
        return Sample(min(Int(Sample.max), (Int(sample) * Int(Sample.max) + Int(opacity) / 2) / Int(opacity)))
    }
}
