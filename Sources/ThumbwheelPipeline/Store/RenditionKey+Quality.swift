import ThumbwheelRendering

extension RenditionKey {
    /// Whether this rendition is good enough to make `other` from. It must be of the same picture, have at least the
    /// quality of `other`, and not be a preview or a file. The options that change the pixels' values must be the same.
    /// The size, and the part of the picture that is shown, may differ.
    func isGoodEnough(for other: RenditionKey) -> Bool {
        let hasQuality = kind == .high || kind == .fast
        return subject == other.subject && encoding == nil && hasQuality
            && (other.kind == kind || other.kind == .fast) && options.sampling == other.options.sampling
            && options.isLinear == other.options.isLinear && options.pixelRange == other.options.pixelRange
            && options.frameTime == other.options.frameTime
            && options.usesEmbeddedPreviews == other.options.usesEmbeddedPreviews
    }

    /// The least resolution of a rendition from which this rendition can be resampled, as a multiple of this
    /// rendition's resolution.
    var resamplingHeadroom: Double {
        kind == .fast ? 1.5 : options.sampling == .best ? 3.5 : 2
    }
}
