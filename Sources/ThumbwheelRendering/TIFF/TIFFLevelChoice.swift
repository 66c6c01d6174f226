import ThumbwheelCore
import ThumbwheelFormats

/// The version of a TIFF's first page that a decode reads: the page itself, or a smaller version of it in the file.
package struct TIFFLevelChoice: Sendable {
    /// The chosen version: the page itself, or a smaller version of it in the file.
    package let level: TIFFPicture
    /// The scale at which the JPEG streams of `level` are decoded, in eighths of the size of `level`; 8 for other
    /// compressions.
    package let eighths: Int
    /// The number of pixels of `level` for each pixel of the full-size page, in each direction.
    let scale: (horizontal: Double, vertical: Double)

    /// Chooses the version that is decoded: the page, or one of the smaller versions of it that the file may contain.
    ///
    /// - Parameters:
    ///   - minimumScale: the least width and height that the decoded picture must have for the requested images, as a
    ///     fraction of the page's width and height.
    ///   - levelScale: the least width and height of a smaller version that may be decoded in place of the page, as a
    ///     fraction of the page's width and height. It is larger than `minimumScale`, because a smaller version in the
    ///     file is softer than the page decoded at a reduced scale.
    init(of pictures: TIFFPictures, minimumScale: Double, levelScale: Double) {
        let whole = pictures.picture.size
        level = pictures.level(forScale: levelScale)
        scale = (
            horizontal: Double(level.size.width) / Double(whole.width),
            vertical: Double(level.size.height) / Double(whole.height)
        )
        // A level is softer than its page, so its streams are decoded at a larger scale than a page's.
        let margin = level.size == whole ? 1 : Self.levelMargin
        eighths = level.eighths(forScale: margin * minimumScale / min(scale.horizontal, scale.vertical))
    }

    /// The factor by which the JPEG streams of a level are decoded at a larger scale than those of a page would be. With
    /// 1, a fast image from a level 2.67 times as large scored 78 with SSIMULACRA2, where 100 means no visible
    /// difference.
    private static let levelMargin = 1.2

    /// Chooses the version from which an image is made, without decoding anything.
    ///
    /// - Parameters:
    ///   - pictures: the first page and the smaller versions of it in the file.
    ///   - displaySize: the size of the picture upright.
    package init(of pictures: TIFFPictures, displaySize: PixelSize, options: RenderOptions) throws(RenderError) {
        let geometry = try RenditionGeometry(displaySize: displaySize, options: options, naturalEighths: [8])
        let minimumScale = geometry.minimumScale(options)
        self.init(of: pictures, minimumScale: minimumScale, levelScale: DecoderInput.levelScale(for: minimumScale))
    }
}
