import ThumbwheelRendering

extension RenditionKey {
    /// Whether this rendition is of the same pixels as `other`, has its quality, and is made the same way but for its size
    /// and the part of the picture that it shows.
    func isGoodEnough(for other: RenditionKey) -> Bool {
        let hasQuality = kind == .high || kind == .fast
        return subject == other.subject && encoding == nil && hasQuality
            && (other.kind == kind || other.kind == .fast) && options.sampling == other.options.sampling
            && options.isLinear == other.options.isLinear
            && options.usesEmbeddedPreviews == other.options.usesEmbeddedPreviews
    }

    /// How many times the resolution of this rendition another must have for it to be resampled from that.
    var resamplingHeadroom: Double {
        kind == .fast ? 1.5 : options.sampling == .best ? 3.5 : 2
    }
}
