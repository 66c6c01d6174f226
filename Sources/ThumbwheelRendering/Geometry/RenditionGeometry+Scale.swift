extension RenditionGeometry {
    /// Returns the smallest scale at which a decode of the photograph has enough pixels for the rendition. The result
    /// is above 1 if even a decode at full size has fewer pixels than a high-quality rendition should be resampled
    /// from. It is 1 for a rendition that is delivered as decoded, so that no smaller version stored in the file takes
    /// the photograph's place.
    func minimumScale(_ options: RenderOptions) -> Double {
        isNatural ? 1 : scale * (options.quality == .fast ? 1 : options.decodeHeadroom)
    }
}
