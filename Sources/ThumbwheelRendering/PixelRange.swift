/// The range of light and colours that the pixels of an image can represent.
public enum PixelRange: String, Sendable, Hashable {
    /// The range of an sRGB screen: `Bitmap.PixelFormat.rgb` or `.rgba`, with 8 bits for each channel. Light brighter
    /// than the screen's white is tone-mapped. Colours outside sRGB are replaced by the nearest colours inside sRGB.
    case standard
    /// Linear light without bounds: `Bitmap.PixelFormat.linearRGBA`, with 16 bits for each channel. Highlights and
    /// colours outside sRGB are kept, as is most of the precision of files with more than 8 bits per sample. This is
    /// for hosts (programs that use this library) that edit or grade an image, or show it on a screen of high dynamic
    /// range. Such an image takes 8 bytes per pixel, and takes longer to make.
    ///
    /// - Samples coded by PQ or HLG (ITU-R BT.2100) are converted to light by the definitions of these codes, without a
    ///   tone map. The light of HLG depends on the screen: a screen with a peak of 1000 cd/m² is assumed.
    /// - The description of the file's colours decides how they are converted:
    ///   - Colours are converted without clipping if they are described by an ICC profile with curves and a matrix, by
    ///     code points (numbers that stand for a colour space), by the calibration chunks of a PNG, or as Adobe RGB.
    ///   - Colours described by an ICC profile with look-up tables, or by one for printing inks, are converted to 8-bit
    ///     sRGB first, as for `standard`.
    /// - Samples of more than 8 bits in PNG, TIFF, HEIC and AVIF are not reduced to 8 bits. The samples of JPEG and
    ///   WebP are computed with 13 bits, and are not rounded to 8 bits before the colours are converted. A JPEG decoded
    ///   at a reduced scale is less exact: its samples may be wrong by up to 0.4 steps of an 8-bit sample.
    /// - Images that libvips decodes are reduced to 8 bits first. Among them are TIFFs with 16-bit samples that only
    ///   libvips reads.
    /// - A gain map is not applied: the image is the file's base picture.
    case extended
}
