import ThumbwheelCore
import ThumbwheelFormats

/// Everything that a decoder needs to open a picture. "Images" are the requested results that will be made from the
/// decode.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode in eighths of full size; it is one of the scales that the codec offers.
    let eighths: Int
    /// The number of pixels, in each direction, that a decoder may average into one pixel. The pixels are those of a
    /// decode at the scale `eighths`. The number is above 1 only if all requested images can be made from such a
    /// coarser decode.
    let reduction: Int
    /// The smallest scale at which a decode has enough pixels for all requested images, from 0 to 1 (full size). It is
    /// 1 if one of the images is the decode itself, neither resampled nor cropped.
    let leastScale: Double
    /// The region of the picture that contains all requested images, in display orientation. A decoder may decode more
    /// than that region.
    let region: SourceBox
    let tolerance: DamageTolerance
    /// The quality of the images that are made from the decode.
    let quality: RenderQuality
    /// Whether the decoder may give chroma half the resolution of luma, because every requested image is at most half
    /// as large as the decode.
    let allowsCoarseChroma: Bool
    let conversion: ColorConversion
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether samples of 16 bits are wanted instead of 8 bits. The decoder hands them out only if it can, and if the
    /// picture has more than 8 bits.
    var keepsAllBits = false
    /// Whether one of the requested images is the decode itself at the scale `eighths`, neither resampled nor cropped.
    var deliversDecode = false
    /// The scale of the smallest requested image: the number of its pixels for each pixel of the picture, in each
    /// direction.
    var smallestScale = 1.0
    /// The time, in seconds, of the frame of a video that is shown; nil for the frame that represents the video.
    var frameTime: Double?
    /// The video, if it has been opened for another image already; nil for other files, and for a video that has not
    /// been opened.
    var video: VideoReading?

    /// The width of the border around `region` that is decoded as well, in pixels of the full-size picture. The border
    /// has room for the widest resampling kernel, which reaches three pixels of the smallest image to each side, and
    /// for pixels that are averaged in whole blocks.
    var margin: Double { 4 / max(smallestScale, 1e-4) + 2 * Double(reduction) + 16 }

    /// The smallest scale at which a reduced version of the picture, stored in the same file, is decoded instead of the
    /// picture.
    ///
    /// The pixels of a reduced version are means of the pixels of the next larger version. So the version is softer
    /// than a decode of the picture at the same scale, and its scale must exceed `leastScale`. On the SSIMULACRA2
    /// scale, where 100 means no visible difference, an image from a version 2.4 times as large as the image scored 88.
    /// An image from a version 2.8 times as large scored 93.
    var levelScale: Double { Self.levelScale(forLeast: leastScale) }

    /// The value of `levelScale` that belongs to a value of `leastScale`.
    static func levelScale(forLeast leastScale: Double) -> Double { leastScale * 1.3 }
}
