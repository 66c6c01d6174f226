/// The range of light and colours that the pixels of an image can hold.
public enum PixelRange: String, Sendable, Hashable {
    /// The range of a screen of sRGB: `Bitmap.PixelFormat.rgb` or `.rgba`, with 8 bits for each channel. Brighter light
    /// is tone-mapped, and other colours are replaced by the nearest ones inside sRGB.
    case standard
    /// Linear light without bounds: `Bitmap.PixelFormat.linearRGBA`, with 16 bits for each channel. Highlights, colours
    /// outside sRGB and fine steps of a file are kept, for hosts that edit or grade an image, or show it on a screen of
    /// high dynamic range. Such an image takes 8 bytes a pixel, and takes longer to make.
    ///
    /// - PQ and HLG are converted by their definitions, without a tone map. HLG gets the light of a screen of 1000
    ///   cd/m².
    /// - Profiles of curves and a matrix, code points, Adobe RGB and a PNG's calibration are applied without clipping.
    ///   Profiles of look-up tables and of printing inks are applied to 8-bit sRGB, as for `standard`.
    /// - Samples of more than 8 bits in PNG, TIFF, HEIC and AVIF are not reduced to 8 bits. JPEG and WebP are converted
    ///   from their transforms with 13 bits; a JPEG's transforms at a reduced scale are exact to 0.4 levels of 8 bits.
    /// - Files that libvips decodes, and 16-bit samples of TIFFs that only libvips reads, are reduced to 8 bits first.
    /// - A gain map is not applied: the image is the file's base picture.
    case extended
}
