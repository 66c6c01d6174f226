import ThumbwheelCore

/// A JPEG's decode as rows of pixels, for all that is not made of its planes directly.
final class JPEGRows: RowDecoder {
    let decode: JPEGDecode
    let size: PixelSize
    var storedSize: PixelSize { decode.header.frame.size }
    let channels: Int
    var eighths: Int { decode.scales.eighths }
    // The decoder tells damage by itself; nobody needs to guess it from where the reading ended.
    var reachedEnd: Bool { false }
    var profile: [UInt8]? { decode.header.profile }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .jpeg }

    init(_ decode: JPEGDecode) {
        self.decode = decode
        size = decode.size
        channels = decode.scales.planes.count
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        withoutActuallyEscaping(body) { body in
            let end = decode.forEachRow(
                to: PixelInterleaver(
                    channels: channels, width: size.width, isRGB: decode.header.isRGB, rows: rows, body: body))
            return (end.error == nil ? rows.count : Int(end.decodedFraction * Double(size.height)), end.error)
        }
    }
}
