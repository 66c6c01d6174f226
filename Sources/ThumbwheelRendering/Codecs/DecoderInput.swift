import ThumbwheelCore
import ThumbwheelFormats

/// Everything that a decoder needs to open a picture. In the descriptions of the properties, "images" are the requested
/// results, which are made from the decoded picture.
struct DecoderInput {
    let bytes: any ByteSource
    let head: ImageHead
    let decoder: RenderedImage.Decoder
    /// The scale of the decode in eighths of full size; it is one of the scales that the codec offers.
    let eighths: Int
    /// The number of pixels, in each direction, that the decoder may average into one pixel after it has decoded at the
    /// scale `eighths`. It is chosen so that enough pixels remain for all requested images; 1 means no averaging.
    let reduction: Int
    /// Whether all requested images are so small that the edges of coding blocks, if the decoder does not smooth them, make no
    /// visible difference.
    var hidesBlockEdges = false
    /// The smallest scale at which a decode has enough pixels for all requested images, from 0 to 1 (full size). It is
    /// 1 if the decoded picture is delivered as one of the images, neither resampled nor cropped.
    let minimumScale: Double
    /// The region of the picture that contains all requested images, in display orientation. A decoder may decode more
    /// than that region.
    let region: SourceBox
    let tolerance: DamageTolerance
    /// The quality of the images that are made from the decode.
    let quality: RenderQuality
    /// Whether the decoder may deliver chroma at half the resolution of luma, if the file stores it so. This is true if
    /// all requested images are resampled in high quality. Half the resolution of chroma is then enough: the decode has
    /// at least twice the width and height of each image, or the full size of the photograph.
    let allowsCoarseChroma: Bool
    let conversion: ColorConversion
    let limits: RenderLimits
    let guardian: DecodeGuard
    /// Whether samples of 16 bits are wanted instead of 8 bits. The decoder hands them out only if it can, and if the
    /// picture has more than 8 bits.
    var keepsAllBits = false
    /// Whether the picture, decoded at the scale `eighths`, is delivered as one of the images, neither resampled nor
    /// cropped. The decoder must then make exactly the pixels of that scale.
    var deliversDecode = false
    /// The scale of the smallest requested image: the number of its pixels for each pixel of the picture, in each
    /// direction.
    var smallestScale = 1.0
    /// The time, in seconds, of the frame of a video that the images show. Nil for the poster: the first key frame that
    /// is neither black nor of one colour.
    var frameTime: Double?
    /// Whether the ranges for a poster are those of all frames from which it may be chosen. Otherwise they are those of
    /// the first of these frames, which is enough for most videos.
    var readsAlternatives = false
    /// The video, if it has been opened for another image already; nil for other files, and for a video that has not
    /// been opened.
    var video: VideoReading?

    /// The width of the border around `region` that is decoded as well, in pixels of the full-size picture. The
    /// resampling kernel reads up to three pixels of the smallest requested image beyond each side of the region. The
    /// border also leaves room for whole blocks of the pixels that the decoder averages.
    var margin: Double { 4 / max(smallestScale, 1e-4) + 2 * Double(reduction) + 16 }

    /// The smallest scale of a reduced version of the picture, stored in the same file, that may be decoded instead of
    /// the picture: 1.6 times `minimumScale`.
    ///
    /// The factor makes up for the softness of reduced versions: their pixels are means of the pixels of the next
    /// larger version. For images of high quality, `minimumScale` is usually twice the scale of the image, so a version
    /// must be at least 3.2 times as large as the image; for fast ones it is the scale of the image. In measurements with
    /// SSIMULACRA2, where 100 means no visible difference, images made from versions 2.67 times as large scored 86 and
    /// 92, of 2.8 to 3.05 times 93, and from versions more than four times as large 93 to 96. Fast ones from versions 1.33
    /// times as large scored 71 and 79, of 1.4 to 1.5 times 84 and 85, of more than twice 88 to 92.
    var levelScale: Double { Self.levelScale(for: minimumScale) }

    /// Computes the property `levelScale` from the property `minimumScale`.
    static func levelScale(for minimumScale: Double) -> Double { minimumScale * 1.6 }
}
