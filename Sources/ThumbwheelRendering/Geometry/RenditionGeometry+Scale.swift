extension RenditionGeometry {
    /// Returns the smallest scale at which a decode of the photograph has enough pixels for the rendition. A scale
    /// above 1 is possible, because a high-quality rendition is resampled from a decode larger than itself. For a
    /// rendition that is delivered as decoded, without resampling, the scale is 1.
    func minimumScale(_ options: RenderOptions) -> Double {
        isNatural ? 1 : scale * (options.quality == .fast ? 1 : options.decodeHeadroom)
    }
}
