import ThumbwheelCore
import ThumbwheelFormats

/// Everything that a decoder needs to open a picture.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode in eighths; it is one of the scales that the codec offers.
    let eighths: Int
    /// The number of pixels of the scaled decode, in each direction, that a decoder may average into one, because no image
    /// needs a finer decode.
    let reduction: Int
    /// The smallest scale of the picture at which a decode has enough pixels for all images; 1 if one of the images is the
    /// plain decode.
    let leastScale: Double
    /// The region of the picture that contains all images, in display orientation. A decoder may decode more than that
    /// region.
    let region: SourceBox
    let tolerance: DamageTolerance
    /// The quality of the images that are made from the decode.
    let quality: RenderQuality
    /// Whether the decoder may give chroma half the resolution of luma, because every image is at most half as large as the
    /// decode.
    let allowsCoarseChroma: Bool
    let conversion: ColorConversion
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether an image is the decode itself, at the scale asked for.
    var deliversDecode = false
}
