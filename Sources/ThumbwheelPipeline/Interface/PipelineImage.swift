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
        facts.tier = .bitmaps
        facts.pixelSize = bitmap.size
        facts.byteCount = bitmap.byteCount
        return PipelineImage(.pixels(bitmap), facts)
    }

    /// The same pixels in fewer bytes, in the form of a tier.
    package func consisting(of packed: any PackedPixels, in tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.tier = tier
        facts.byteCount = packed.byteCount
        return PipelineImage(.packed(packed), facts)
    }
}
