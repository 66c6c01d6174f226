import ThumbwheelCore
import ThumbwheelFormats

/// Decodes a HEIF or AVIF picture to rows of pixels. It serves pictures that have alpha or of which only a part is
/// shown.
///
/// The alpha is decoded first and kept whole, because its tiles may have other borders than those of the colours.
final class HEIFPixels: RowDecoder {
    private let decode: TiledDecode
    private let alpha: Alpha?
    let profile: [UInt8]?
    let channels: Int
    // The position in the decode of the first pixel that is shown.
    private let origin: (x: Int, y: Int)
    let size: PixelSize
    var storedSize: PixelSize { size }
    var orientation: ImageOrientation? { decode.image.transform.orientation }
    var eighths: Int { 8 }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { decode.name }
    private let isPremultiplied: Bool

    /// The decoded samples of an alpha item.
    struct Alpha {
        var samples: [UInt8] = []
        var size: PixelSize
    }

    /// - Parameter decode: the decode of the colours, at full size.
    init(_ decode: TiledDecode, alpha: TiledDecode?, isPremultiplied: Bool, profile: [UInt8]?) throws(RenderError) {
        self.decode = decode
        self.isPremultiplied = isPremultiplied
        self.profile = profile
        let transform = decode.image.transform
        origin = (transform.x, transform.y)
        size = transform.shownSize
        channels = decode.scales.planes.count + (alpha == nil ? 0 : 1)
        guard let alpha else {
            self.alpha = nil
            return
        }
        var kept = Alpha(size: alpha.size)
        kept.samples.reserveCapacity(alpha.size.pixelCount)
        let step = alpha.scales.planes.count
        let end = alpha.forEachPixelRow(in: 0..<alpha.size.height) { row in
            // If the alpha item is a colour picture, its red samples are taken.
            for x in 0..<alpha.size.width { kept.samples.append(row[x * step]) }
        }
        if let error = end.error { throw error }
        self.alpha = kept
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        var line = [UInt8](repeating: 0, count: size.width * channels)
        var y = rows.lowerBound
        let end = decode.forEachPixelRow(in: rows.lowerBound + origin.y..<rows.upperBound + origin.y) { row in
            line.withUnsafeMutableBufferPointer { line in
                write(row + origin.x * decode.scales.planes.count, y: y, into: line)
                body(UnsafePointer(line.baseAddress!))
            }
            y += 1
        }
        return (end.error == nil ? rows.count : Int(end.decodedFraction * Double(rows.count)), end.error)
    }

    private func write(_ row: UnsafePointer<UInt8>, y: Int, into line: UnsafeMutableBufferPointer<UInt8>) {
        let colorCount = decode.scales.planes.count
        guard let alpha else {
            for index in 0..<size.width * colorCount { line[index] = row[index] }
            return
        }
        // If the alpha has another size than the colours, it is stretched, as in libheif.
        let canvas = decode.size
        let alphaRow = (y + origin.y) * alpha.size.height / canvas.height * alpha.size.width
        for x in 0..<size.width {
            let opacity = alpha.samples[alphaRow + (x + origin.x) * alpha.size.width / canvas.width]
            let target = x * channels
            for color in 0..<colorCount {
                let sample = row[x * colorCount + color]
                line[target + color] = isPremultiplied ? Self.undone(sample, opacity) : sample
            }
            line[target + colorCount] = opacity
        }
    }

    /// Divides a colour by its opacity, to undo premultiplied alpha.
    private static func undone(_ sample: UInt8, _ opacity: UInt8) -> UInt8 {
        opacity == 0 ? 0 : UInt8(min(255, (Int(sample) * 255 + Int(opacity) / 2) / Int(opacity)))
    }
}
