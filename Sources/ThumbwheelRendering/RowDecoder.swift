import ThumbwheelCore
import ThumbwheelFormats

/// A decoder that hands over an image's rows from top to bottom, on the calling thread. It can stop after any row.
protocol RowDecoder: AnyObject {
    /// The size of the decoded image in pixels: the size of the stored image, scaled by `eighths`.
    var size: PixelSize { get }
    /// The size of the stored image in pixels, as the decoder found it in the file.
    var storedSize: PixelSize { get }
    /// The number of samples of a pixel: 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGB and alpha.
    var channels: Int { get }
    /// The number of bytes of a sample: 1, or 2 if the decoder was asked for all bits (`DecoderInput.keepsAllBits`) and
    /// the picture has more than 8 bits per sample. Samples of two bytes have values from 0 to 65 535, in the byte
    /// order of the processor.
    var bytesPerSample: Int { get }
    /// The scale of the decode, in eighths of the stored size.
    var eighths: Int { get }
    /// The exact number of decoded pixels for each pixel of the stored image, in each direction. At an exact scale, the
    /// last pixel of a row or column may lie partly outside the stored image. Nil if the decoder enlarges or reduces
    /// the image a little beyond the nominal scale, so that all decoded pixels lie inside.
    var exactScale: (horizontal: Double, vertical: Double)? { get }
    /// Whether the image must be resampled after the decode even if `eighths` states full size, because it has to be
    /// shown with another width or height in pixels than the decoder delivers. This occurs in videos, for example if
    /// their pixels are not square, or if only every second row of a frame is decoded.
    var isStretched: Bool { get }
    /// The orientation that turns the rows upright; nil if the file's header states the right orientation.
    var orientation: ImageOrientation? { get }
    /// The rule by which the decoder rounds a side that is not a whole number of pixels at the scale.
    var sideRounding: FloatingPointRoundingRule { get }
    /// Whether the decoder has asked for bytes past the end of the file, a sign that data may be missing.
    var reachedEnd: Bool { get }
    /// The ICC profile of the samples; nil if the file has none, or if the decoder has applied it.
    var profile: [UInt8]? { get }
    /// The colour space that the decoder has read from the file: from chunks such as a PNG's `gAMA`, or from the frames
    /// of a video. Nil if it is sRGB, or if the file's header states the colours by a profile or by code points
    /// (numbers that stand for a colour space).
    var calibration: CodedColors? { get }
    var name: RenderedImage.Decoder { get }

    /// Tells the decoder which columns the caller will use. It must be called before `forEachRow`. Pixels outside these
    /// columns may have any value.
    func narrow(to columns: Range<Int>)

    /// Hands the given rows to `body` in order. This function may be called only once.
    ///
    /// - Returns: the number of rows handed over, and the error that ended the decode early; nil if all of `rows` were
    ///   handed over.
    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?)
}

extension RowDecoder {
    var bytesPerSample: Int { 1 }
    var exactScale: (horizontal: Double, vertical: Double)? { nil }
    var isStretched: Bool { false }
    var orientation: ImageOrientation? { nil }
    // Only the decoders of PNG files and of videos read a colour space from the file, so all other decoders use this
    // default.
    var calibration: CodedColors? { nil }
    // Most decoders can only make whole rows, and ignore the columns.
    func narrow(to columns: Range<Int>) {}
}

extension PixelSize {
    /// The size scaled by eighths and rounded, at least one pixel in each direction.
    func scaled(toEighths eighths: Int, _ rounding: FloatingPointRoundingRule) -> PixelSize {
        func side(_ count: Int) -> Int { max(1, Int((Double(count * eighths) / 8).rounded(rounding))) }
        return PixelSize(width: side(width), height: side(height))
    }
}
