import ThumbwheelCore
import ThumbwheelFormats

/// A file format's codec: everything that rendering knows about the format.
///
/// A format without a codec in `Codecs` is not rendered. No requirement of this protocol has a default implementation,
/// so whoever adds a format must state every fact about it.
protocol Codec: Sendable {
    /// The types of the files that this codec reads.
    var contentTypes: [ContentType] { get }

    /// The rule for files that have several kinds of colour information: it decides which kind is used.
    var colorPrecedence: ColorPrecedence { get }

    /// Whether every decoder of the format reads the whole colour profile into memory, even if the profile is not
    /// applied. If so, a file with a profile larger than `ColorConversion.profileByteLimit` is refused, to bound the
    /// memory that its decoder takes.
    var readsWholeProfile: Bool { get }

    /// The decoders for a picture, in the order in which they are tried. If a decoder finds out from the bytes that it
    /// cannot read the file, the next decoder is tried. Empty if no decoder reads the file's coding.
    func decoders(for head: ImageHead) -> [RenderedImage.Decoder]

    /// The scales at which a decoder can decode, in eighths of full size and in increasing order; the last is 8.
    func eighths(of decoder: RenderedImage.Decoder) -> [Int]

    /// Whether a decode by the given decoder ends soon after it is told to stop. If not, the decode runs to its end.
    ///
    /// - Parameter byteCount: the length of the file in bytes; nil if it is not known.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool

    /// Whether a decode that ended because of damage is repeated, this time with tolerance for damage. True for
    /// decoders that report even harmless faults as damage.
    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool

    /// The speed of a decoder for a picture, from which the time of a decode is predicted.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode, in eighths of full size.
    ///   - quality: the quality of the image that is made from the decode.
    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed

    /// The memory that a decoder holds for a whole picture.
    ///
    /// - Parameters:
    ///   - eighths: the scale of the decode, in eighths of full size.
    ///   - byteCount: the length of the file in bytes.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory

    /// Whether the amount of memory `DecoderMemory.minimumLimit` is enough for the decode of this file. If not, the
    /// decode may need the larger amount `DecoderMemory.maximum`.
    ///
    /// This function is called only if the memory limit lies between these two amounts. It may read from the file.
    func fitsMinimumLimit(_ bytes: any ByteSource) throws(RenderError) -> Bool

    /// Whether the file contains the beginnings of all parts of the picture, for example of all scans of a progressive
    /// JPEG.
    ///
    /// This function is called if a decoder has reached the end of the file, to find out whether the file is cut short.
    /// The pixels do not always show that: without its last scans, a JPEG is blurred but has no gaps.
    func announcesWholePicture(
        _ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bool

    /// Whether a decode may need much less than the whole file. If so, only the needed ranges of a file on the network
    /// are fetched.
    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool

    /// Returns the byte ranges of the file that a decode will read; nil if the decode may read the whole file. To find
    /// the ranges, this function may itself read from `input.bytes`. The ranges need not contain the bytes that this
    /// function has read.
    ///
    /// This function is called before the decode of a file on the network, on a thread that is allowed to block, and
    /// only if `isReadByRanges` is true. The ranges may reach beyond the end of the file.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]?

    /// Opens a picture for decoding. Most decoders decode no pixels at this point.
    ///
    /// - Returns: a decoder that hands out the rows; nil if the chosen decoder finds that it cannot read the file.
    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)?
}
