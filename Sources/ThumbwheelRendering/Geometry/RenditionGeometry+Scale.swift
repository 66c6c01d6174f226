extension RenditionGeometry {
    /// The smallest scale of the photograph at which a decode has enough pixels for the image. For a high-quality image,
    /// the decode must be larger than the image in both directions. So the scale may exceed 1.
    func leastScale(_ options: RenderOptions) -> Double {
        isNatural ? 1 : scale * (options.quality == .fast ? 1 : options.decodeHeadroom)
    }
}
