extension RenditionGeometry {
    /// The smallest scale of the photograph at which a decode has enough pixels for the rendition. For a resampled
    /// rendition of high quality, the decode must be larger than the rendition in both directions, so the scale may
    /// exceed 1. If the rendition is the decode itself, the scale is 1.
    func leastScale(_ options: RenderOptions) -> Double {
        isNatural ? 1 : scale * (options.quality == .fast ? 1 : options.decodeHeadroom)
    }
}
