import CVips

extension VipsHandle {
    /// The image converted to 8-bit samples in 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha) bands; nil if
    /// libvips cannot convert it.
    ///
    /// - Parameters:
    ///   - convertsProfile: whether this function applies an embedded profile, before the rows are handed over. CMYK is
    ///     always converted by a profile.
    ///   - shownBands: the number of bands (samples of a pixel) that are kept, for files with additional bands that are
    ///     not alpha. The additional bands are dropped before any other step. Nil keeps all bands.
    consuming func normalized(convertsProfile: Bool, shownBands: Int? = nil) -> VipsHandle? {
        if let shownBands, bands > shownBands, vips_image_get_coding(image) == VIPS_CODING_NONE {
            return keepingBands(shownBands)?.normalized(convertsProfile: convertsProfile)
        }
        let meaning = interpretation
        let isGrey = meaning == VIPS_INTERPRETATION_B_W
        let isPlain = vips_image_get_coding(image) == VIPS_CODING_NONE && format == VIPS_FORMAT_UCHAR
        if isPlain, !convertsProfile, meaning == VIPS_INTERPRETATION_sRGB || isGrey {
            return keepingBands(isGrey ? 2 : 4)
        }
        guard let converted = inSRGB(meaning: meaning, convertsProfile: convertsProfile) else { return nil }
        if converted.format == VIPS_FORMAT_UCHAR { return converted.keepingBands(4) }
        return VipsHandle { tw_vips_cast_uchar(converted.image, $0, 0) }?.keepingBands(4)
    }

    private borrowing func inSRGB(meaning: VipsInterpretation, convertsProfile: Bool) -> VipsHandle? {
        if meaning == VIPS_INTERPRETATION_CMYK { return appliedProfile(fallback: "cmyk") }
        // CIELAB is the space that profiles convert to, so an embedded profile adds nothing. libvips would wrongly
        // apply such a profile to the stored bytes.
        if [VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABQ, VIPS_INTERPRETATION_LABS].contains(meaning) {
            let lab = VipsHandle { tw_vips_colourspace_lab(image, $0) }
            guard let lab else { return nil }
            return VipsHandle { tw_vips_icc_lab_to_srgb(lab.image, $0) }
        }
        if convertsProfile, let converted = appliedProfile(fallback: "srgb") { return converted }
        return VipsHandle { tw_vips_colourspace_srgb(image, $0) }
    }

    /// The image converted to sRGB by the profile that it carries, or else by the profile of libvips named `fallback`.
    borrowing func appliedProfile(fallback: String) -> VipsHandle? {
        VipsHandle { tw_vips_icc_to_srgb(image, $0, fallback) }
    }

    /// The image with only its first `most` bands, or with all bands if it has fewer. Some TIFF files carry extra
    /// samples.
    private consuming func keepingBands(_ most: Int) -> VipsHandle? {
        guard bands > most else { return self }
        return VipsHandle { tw_vips_extract_bands(image, $0, 0, Int32(most)) }
    }
}
