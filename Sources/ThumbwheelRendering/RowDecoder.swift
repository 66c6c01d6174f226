import ThumbwheelCore
import ThumbwheelFormats

/// A decode that hands out its rows from top to bottom, on the calling thread, and that can stop between any two.
protocol RowDecoder: AnyObject {
    /// The decode's size, which is the stored image's at `eighths`.
    var size: PixelSize { get }
    /// The size of the stored image itself, as the decoder found it.
    var storedSize: PixelSize { get }
    /// Samples of a pixel, 8 bits each: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int { get }
    /// The decode's scale.
    var eighths: Int { get }
    /// Pixels of the decode for a pixel of the stored image, each way, if the decode's last pixels may be incomplete. Nil if
    /// the decode is stretched to whole pixels.
    var exactScale: (horizontal: Double, vertical: Double)? { get }
    /// How the rows are turned to stand upright; nil if as the file's head says.
    var orientation: ImageOrientation? { get }
    /// Which way it takes a side that at a scale is no whole number of pixels.
    var sideRounding: FloatingPointRoundingRule { get }
    /// Whether bytes past the end of the file were asked for.
    var reachedEnd: Bool { get }
    /// The ICC profile that the samples are in, where the file has one and it was not applied.
    var profile: [UInt8]? { get }
    /// The colours that the samples are in by what the decoder itself reads, where they are not sRGB's; not where a profile or
    /// code points say it.
    var calibration: CodedColors? { get }
    var name: RenderedImage.Decoder { get }

    /// Tells which columns are looked at, before rows are asked for. Pixels beside them may have any value.
    func narrow(to columns: Range<Int>)

    /// Hands `body` the given rows in order. To be called once.
    ///
    /// - Returns: how many rows were handed over before `error` ended it; all of them where `error` is nil.
    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?)
}

extension RowDecoder {
    var exactScale: (horizontal: Double, vertical: Double)? { nil }
    var orientation: ImageOrientation? { nil }
    // Only PNG has such a thing.
    var calibration: CodedColors? { nil }
    // Most decoders make whole rows.
    func narrow(to columns: Range<Int>) {}
}

extension PixelSize {
    /// The size at a decode's scale, at least a pixel each way.
    func scaled(toEighths eighths: Int, _ rounding: FloatingPointRoundingRule) -> PixelSize {
        func side(_ count: Int) -> Int { max(1, Int((Double(count * eighths) / 8).rounded(rounding))) }
        return PixelSize(width: side(width), height: side(height))
    }
}
