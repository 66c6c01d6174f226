import ThumbwheelRendering

extension RenditionKey {
    /// Whether this rendition is good enough to make `other` from: it is of the same picture, has at least the quality of
    /// `other`, and is made with the same options except for its size and the part of the picture that it shows.
    func isGoodEnough(for other: RenditionKey) -> Bool {
        let hasQuality = kind == .high || kind == .fast
        return subject == other.subject && encoding == nil && hasQuality
            && (other.kind == kind || other.kind == .fast) && options.sampling == other.options.sampling
            && options.isLinear == other.options.isLinear
            && options.usesEmbeddedPreviews == other.options.usesEmbeddedPreviews
    }

    /// The least ratio of another rendition's resolution to that of this one, if this one is to be resampled from the other.
    var resamplingHeadroom: Double {
        kind == .fast ? 1.5 : options.sampling == .best ? 3.5 : 2
    }
}
