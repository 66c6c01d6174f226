import ThumbwheelCore
import ThumbwheelFormats

/// All that rendering knows of a format.
///
/// A format without a codec in `Codecs` is not rendered. No requirement has a default, so whoever adds a format states
/// every fact about it.
protocol Codec: Sendable {
    /// The types of the files that this codec reads.
    var contentTypes: [ContentType] { get }

    /// The rules by which the colour information of such a file is read.
    var colorRules: ColorRules { get }

    /// Whether every decoder reads the whole profile, even if it is not applied. A profile beyond the limit then refuses
    /// the file.
    var readsWholeProfile: Bool { get }

    /// The decoders for a picture, in the order in which they are tried. A decoder that finds out from the bytes that it
    /// does not cover the file leaves it to the next one. Empty if no decoder reads the file's coding.
    func decoders(for head: ImageHead) -> [RenderedImage.Decoder]

    /// The scales that a decoder offers, in eighths, in increasing order, the last of which is 8.
    func eighths(of decoder: RenderedImage.Decoder) -> [Int]

    /// Whether a decode ends soon after it is told to stop. Other decoders run to their end.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool

    /// Whether a decode that ends in damage is repeated with a tolerance for it, because the decoder takes harmless faults
    /// for damage.
    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool

    /// The speed of a decoder.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode.
    ///   - quality: the quality of the image that is made of it.
    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed

    /// The memory that a decoder holds for a whole picture.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode.
    ///   - byteCount: the length of the file.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory

    /// Whether the decode of a file takes no more than the `certain` memory, although the head allows for the `most`.
    ///
    /// It is asked if a limit lies between the two. The answer may cost a read.
    func takesCertainMemory(_ bytes: any ByteSource) throws(RenderError) -> Bool

    /// Whether the file announces all of the picture.
    ///
    /// It is asked if a decoder has reached the end of the file: the pixels do not always tell that some are missing.
    func announcesWholePicture(
        _ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bool

    /// Opens a picture. Most decoders decode no pixels yet.
    ///
    /// - Returns: nil if the decoder finds that it does not cover the file.
    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)?
}
