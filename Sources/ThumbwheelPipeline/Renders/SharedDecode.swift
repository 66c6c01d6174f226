import ThumbwheelRendering

/// One decode from which several renditions are made.
struct SharedDecode {
    let kind: RenditionKey.Kind
    /// The pixel range of all renditions that share the decode: `standard` (8-bit sRGB) or `extended` (linear light
    /// without bounds). A rendition with another range needs samples of another bit depth, so it cannot share the
    /// decode.
    var pixelRange = PixelRange.standard
    /// The scale of the decode in eighths: the largest that any of the renditions needs. The other renditions are
    /// reduced from this decode.
    var eighths: Int
    /// Whether chroma has to be decoded at the resolution of luma. True if a high-quality rendition is delivered
    /// exactly as the JPEG decoder outputs it, at half the full size or less. (The decoder itself can reduce the size.)
    var hasFineChroma: Bool
    /// Whether any of the renditions is an encoded file. A file's entity tag promises the same bytes each time the file
    /// is made. So this decode must make exactly the pixels that a separate decode for the file would make.
    var hasFile: Bool
    /// Whether no request waits for any of the renditions.
    var isSpeculative: Bool
    var outputByteCount: Int
    var workingByteCount: Int
    /// The part of the file that the decode reads. Renditions that need other parts cannot share the decode.
    var extent = FetchExtent.whole

    /// The predicted bytes of output and working memory of the whole decode.
    var predictedByteCount: Int {
        let (sum, overflows) = outputByteCount.addingReportingOverflow(workingByteCount)
        return overflows ? .max : sum
    }

    /// The decode that makes these renditions and those of `other` together; nil if `other` needs a decode of its own.
    func joined(with other: SharedDecode) -> SharedDecode? {
        guard kind == other.kind, pixelRange == other.pixelRange, extent == other.extent else { return nil }
        var joint = self
        joint.eighths = max(eighths, other.eighths)
        joint.hasFineChroma = hasFineChroma || other.hasFineChroma
        guard !hasFile || joint.makesSamePixels(as: self), !other.hasFile || joint.makesSamePixels(as: other) else {
            return nil
        }
        // A speculative rendition, which no request waits for, must not slow down the decode for a rendition that a
        // request waits for. So it may join this decode only if the scale and the chroma of the decode stay the same.
        guard isSpeculative || !other.isSpeculative || joint.makesSamePixels(as: self) else { return nil }
        joint.hasFile = hasFile || other.hasFile
        joint.isSpeculative = isSpeculative && other.isSpeculative
        let (sum, overflows) = outputByteCount.addingReportingOverflow(other.outputByteCount)
        joint.outputByteCount = overflows ? .max : sum
        joint.workingByteCount = max(workingByteCount, other.workingByteCount)
        return joint
    }

    /// Whether this decode and `other` make the same pixels: they have the same scale and the same resolution of
    /// chroma.
    func makesSamePixels(as other: SharedDecode) -> Bool {
        eighths == other.eighths && hasFineChroma == other.hasFineChroma
    }
}
