import ThumbwheelCore
import ThumbwheelFormats

/// A decode of a JPEG that hands out planes or rows of pixels.
final class JPEGRows: PlaneDecoder {
    let decode: JPEGDecode
    let size: PixelSize
    var storedSize: PixelSize { decode.header.frame.size }
    let channels: Int
    var scales: PlaneScales { decode.scales }
    var colors: PlaneColors { decode.header.colors }
    var means: BlockMeans? { decode.means }
    var eighths: Int { decode.scales.eighths }
    var exactScale: (horizontal: Double, vertical: Double)? { (Double(eighths) / 8, Double(eighths) / 8) }
    // Whether the decoder asked for bytes past the end of the file, a sign that data may be missing. Always false for
    // this decoder, because it reports damage itself, and its callers do not need the sign.
    var reachedEnd: Bool { false }
    var profile: [UInt8]? { decode.header.profile }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .jpeg }

    init(_ decode: JPEGDecode) {
        self.decode = decode
        size = decode.size
        channels = decode.scales.planes.count
    }

    func collectMeans() { decode.means = BlockMeans(decode.header) }

    func share(with assistants: any RenderAssistants) {
        decode.sharing = SingleScanReader.Sharing(assistants: assistants)
    }

    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd { decode.forEachRow(to: consumer) }
}
