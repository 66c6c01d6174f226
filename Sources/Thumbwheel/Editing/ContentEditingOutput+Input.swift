import ThumbwheelAssets
import ThumbwheelRendering

extension ContentEditingOutput {
    /// Makes the output of an edit that was started from `input`. The editor still has to add the new adjustment data
    /// and the rendered picture.
    public init(contentEditingInput input: ContentEditingInput) {
        let isOriginal = input.fullSizeImage.type == .photo
        self.init(asset: input.asset.identifier, base: isOriginal ? nil : input.fullSizeImage.source)
    }

    /// Encodes a bitmap; the encoded file becomes the rendered picture of the edit.
    ///
    /// - Parameters:
    ///   - bitmap: the edited picture.
    ///   - encoding: the format of the file.
    /// - Throws: `RenderError.encodingFailed` if the encoder refuses the bitmap.
    public mutating func render(
        _ bitmap: Bitmap, as encoding: ImageEncoding = .jpeg(quality: 92)
    ) throws(RenderError) {
        renderedContent = .bytes(try bitmap.encoded(as: encoding))
    }
}
