import ThumbwheelCore
import ThumbwheelFormats

/// Everything that a decoder needs to open a picture. "Images" are the requested results that will be made from the
/// decode.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode in eighths; it is one of the scales that the codec offers.
    let eighths: Int
    /// How many pixels at the scale `eighths` a decoder may average into one, in each direction. It is above 1 only if
    /// no image needs a decode as fine as that scale.
    let reduction: Int
    /// The smallest scale of the picture at which a decode has enough pixels for all images; 1 if one of the images is
    /// the decode itself.
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
    /// Whether the decoder hands out samples of 16 bits instead of 8, if the picture has more than 8 and the decoder can.
    var keepsAllBits = false
    /// Whether one of the images is the decode itself at the scale `eighths`, neither resampled nor cropped.
    var deliversDecode = false
    /// The scale of the smallest image: its pixels for each pixel of the picture.
    var smallestScale = 1.0

    /// How far around the region, in pixels of the picture, a decode reads: the widest resampling kernel reaches three pixels
    /// of the smallest image to each side, and blocks of pixels are averaged whole.
    var margin: Double { 4 / max(smallestScale, 1e-4) + 2 * Double(reduction) + 16 }

    /// The smallest scale at which a smaller version of the picture in the file is enough for all images.
    ///
    /// Such a version must be larger than the least size of a decode. Its pixels are means of those of the next larger
    /// version, so it is softer than a decode. By SSIMULACRA2, a version of 2.4 times the target scored 88, and one of 2.8
    /// times scored 93.
    var levelScale: Double { leastScale * Self.levelHeadroom }

    private static let levelHeadroom = 1.3
}
