import ThumbwheelCore
import ThumbwheelFormats

/// A file format's codec: everything that rendering knows about the format.
///
/// A format without a codec in `Codecs` is not rendered. No requirement has a default implementation, so that whoever adds
/// a format must state every fact about it.
protocol Codec: Sendable {
    /// The types of the files that this codec reads.
    var contentTypes: [ContentType] { get }

    /// The rules by which the colour information of the format's files is read.
    var colorRules: ColorRules { get }

    /// Whether every decoder of the format reads the whole colour profile, even if the profile is not applied. If so, a
    /// profile beyond the limit makes the file invalid.
    var readsWholeProfile: Bool { get }

    /// The decoders for a picture, in the order in which they are tried. If a decoder finds out from the bytes that it
    /// cannot read the file, the next decoder is tried. Empty if no decoder reads the file's coding.
    func decoders(for head: ImageHead) -> [RenderedImage.Decoder]

    /// The scales that a decoder offers, in eighths and in increasing order; the last is 8.
    func eighths(of decoder: RenderedImage.Decoder) -> [Int]

    /// Whether a decode by this decoder ends soon after it is told to stop. A decode that does not is left to run to its
    /// end.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool

    /// Whether a decode that ends because of damage is repeated with tolerance for damage. It is repeated for decoders that
    /// report harmless faults as damage.
    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool

    /// The speed of a decoder for a picture, from which the time of a decode is predicted.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode, in eighths.
    ///   - quality: the quality of the image that is made from the decode.
    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed

    /// The memory that a decoder holds for a whole picture.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode, in eighths.
    ///   - byteCount: the length of the file in bytes.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory

    /// Whether the decode of a file needs no more than the `certain` memory, although by its head the file could need the
    /// `most` memory (see `DecoderMemory`).
    ///
    /// This function is called only if the memory limit lies between the two. It may read from the file.
    func takesCertainMemory(_ bytes: any ByteSource) throws(RenderError) -> Bool

    /// Whether the file announces all parts of the picture.
    ///
    /// This function is called if a decoder has reached the end of the file, because the pixels do not always show that
    /// some parts are missing.
    func announcesWholePicture(
        _ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bool

    /// Opens a picture for decoding. Most decoders decode no pixels at this point.
    ///
    /// - Returns: a decoder that hands out the rows; nil if the chosen decoder finds that it cannot read the file.
    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)?
}
