import ThumbwheelRendering

/// The image that a finished render has made: its contents and the facts about it.
package struct PipelineImage: Sendable {
    package var contents: ImageContents
    package var facts: ImageFacts

    package init(_ contents: ImageContents, _ facts: ImageFacts) {
        self.contents = contents
        self.facts = facts
    }

    /// The image with `bitmap` in place of its contents. The bitmap has new pixels, or the image's own pixels after
    /// unpacking.
    package func consisting(of bitmap: Bitmap) -> PipelineImage {
        var facts = facts
        facts.tier = .bitmaps
        facts.pixelSize = bitmap.size
        facts.byteCount = bitmap.byteCount
        return PipelineImage(.pixels(bitmap), facts)
    }

    /// The image with `packed` in place of its contents. The packed pixels are the image's own, packed into fewer bytes
    /// for a memory tier.
    package func consisting(of packed: any PackedPixels, in tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.tier = tier
        facts.byteCount = packed.byteCount
        return PipelineImage(.packed(packed), facts)
    }
}
