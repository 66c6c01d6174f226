import ThumbwheelRendering

/// The image that a finished render has made: its contents and the facts about it.
package struct PipelineImage: Sendable {
    package var contents: ImageContents
    package var facts: ImageFacts

    package init(_ contents: ImageContents, _ facts: ImageFacts) {
        self.contents = contents
        self.facts = facts
    }

    /// Returns a copy of this image with the pixels of `bitmap` as its contents. They are made from this image's
    /// pixels, by unpacking or by resampling.
    package func consisting(of bitmap: Bitmap) -> PipelineImage {
        var facts = facts
        facts.memoryTier = .bitmaps
        facts.pixelSize = bitmap.size
        facts.byteCount = bitmap.byteCount
        return PipelineImage(.pixels(bitmap), facts)
    }

    /// Returns a copy of this image whose contents are `packed`. These are the image's own pixels, packed into fewer
    /// bytes for the memory tier `tier`.
    package func consisting(of packed: any PackedPixels, in tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.memoryTier = tier
        facts.byteCount = packed.byteCount
        return PipelineImage(.packed(packed), facts)
    }
}
