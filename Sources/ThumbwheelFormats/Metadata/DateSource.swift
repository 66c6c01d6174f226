/// The places from which the date of a photograph can be read, the most trusted first.
public enum DateSource: String, Sendable, CaseIterable {
    /// EXIF's DateTimeOriginal: when the photograph was taken.
    case exifOriginal
    /// EXIF's DateTimeDigitized: when the photograph was stored or scanned.
    case exifDigitized
    /// EXIF's DateTime: when the file was changed.
    case exifModified
    /// XMP: `exif:DateTimeOriginal`, else `photoshop:DateCreated`, else `xmp:CreateDate`.
    case xmp
    /// A text of a PNG: `Creation Time`, else ImageMagick's `date:create`.
    case pngText
    /// The date of the last change in a PNG (`tIME`).
    case pngTime
    /// The name of the file, in the form of a common camera or program.
    case filename
    /// The modification date of the file.
    case file
}
