import ThumbwheelCore
import ThumbwheelFormats

/// All that a decoder is given to open a picture.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode, one of those that the codec offers.
    let eighths: Int
    let tolerance: DamageTolerance
    /// The quality of the images that are made of the decode.
    let quality: RenderQuality
    /// Whether chroma may be half as fine as luma, because every image is reduced to half of the decode or less.
    let allowsCoarseChroma: Bool
    let conversion: ColorConversion
    let limits: RenderLimits
    let guardian: DecodeGuard
}
