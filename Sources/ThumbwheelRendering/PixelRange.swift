/// The range of light and colours that the pixels of an image can represent.
public enum PixelRange: String, Sendable, Hashable {
    /// The range of an sRGB screen: `Bitmap.PixelFormat.rgb` or `.rgba`, with 8 bits for each channel. Light brighter
    /// than the screen's white is tone-mapped. Colours outside sRGB are replaced by the nearest colours inside sRGB.
    case standard
    /// Linear light without bounds: `Bitmap.PixelFormat.linearRGBA`, with 16 bits for each channel. Highlights, colours
    /// outside sRGB and fine steps of a file are kept. This is for hosts (programs that use this library) that edit or
    /// grade an image, or show it on a screen of high dynamic range. Such an image takes 8 bytes per pixel, and takes
    /// longer to make.
    ///
    /// - PQ and HLG are converted by their definitions, without a tone map. HLG is converted to the light of a screen
    ///   of 1000 cd/m².
    /// - Colour profiles that consist of curves and a matrix are applied without clipping. So are code points (numbers
    ///   that stand for a colour space), Adobe RGB, and the calibration chunks of a PNG. Profiles with look-up tables,
    ///   and profiles of printing inks, are applied to 8-bit sRGB, as for `standard`.
    /// - Samples of more than 8 bits in PNG, TIFF, HEIC and AVIF are not reduced to 8 bits. The samples of JPEG and
    ///   WebP are computed and converted with 13 bits. If a JPEG is decoded at a reduced scale, its samples are exact
    ///   to 0.4 levels of an 8-bit sample.
    /// - Images that libvips decodes are reduced to 8 bits first. Among them are TIFFs with 16-bit samples that only
    ///   libvips reads.
    /// - A gain map is not applied: the image is the file's base picture.
    case extended
}
