import ThumbwheelCore
import ThumbwheelFormats

/// All that a decoder is given to open a picture.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode, one of those that the codec offers.
    let eighths: Int
    /// The pixels of the scaled decode, each way, of which a decoder may make one by averaging them: no image needs the
    /// decode finer.
    let reduction: Int
    /// The scale of the picture from which on a decode has all that the images need; 1 if one of them is the plain decode.
    let leastScale: Double
    /// The region of the picture that holds all images, in display orientation. More around it may be decoded.
    let region: SourceBox
    let tolerance: DamageTolerance
    /// The quality of the images that are made of the decode.
    let quality: RenderQuality
    /// Whether chroma may be half as fine as luma, because every image is reduced to half of the decode or less.
    let allowsCoarseChroma: Bool
    let conversion: ColorConversion
    let limits: RenderLimits
    let guardian: DecodeGuard
}
