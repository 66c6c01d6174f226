import ThumbwheelRendering

/// A finished render: what the image consists of, and what is known of it.
package struct PipelineImage: Sendable {
    package var contents: ImageContents
    package var facts: ImageFacts

    package init(_ contents: ImageContents, _ facts: ImageFacts) {
        self.contents = contents
        self.facts = facts
    }

    /// The image with other pixels, or with its own unpacked.
    package func consisting(of bitmap: Bitmap) -> PipelineImage {
        var facts = facts
        facts.isPacked = false
        facts.pixelSize = bitmap.size
        facts.byteCount = bitmap.byteCount
        return PipelineImage(.pixels(bitmap), facts)
    }

    /// The same pixels in fewer bytes.
    package func consisting(of packed: PackedBitmap) -> PipelineImage {
        var facts = facts
        facts.isPacked = true
        facts.byteCount = packed.byteCount
        return PipelineImage(.packed(packed), facts)
    }
}
