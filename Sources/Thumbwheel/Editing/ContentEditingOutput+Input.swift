import ThumbwheelAssets
import ThumbwheelRendering

extension ContentEditingOutput {
    /// Makes the output of an edit that was started from `input`. The editor still has to add the new adjustment data
    /// and the rendered picture.
    public init(contentEditingInput input: ContentEditingInput) {
        let isOriginal = input.fullSizeImage.type == .photo
        self.init(asset: input.asset.identifier, base: isOriginal ? nil : input.fullSizeImage.source)
    }

    /// Takes a bitmap as the rendered picture.
    ///
    /// - Throws: `RenderError.encodingFailed`.
    public mutating func render(
        _ bitmap: Bitmap, as encoding: ImageEncoding = .jpeg(quality: 92)
    ) throws(RenderError) {
        renderedContent = .bytes(try bitmap.encoded(as: encoding))
    }
}
