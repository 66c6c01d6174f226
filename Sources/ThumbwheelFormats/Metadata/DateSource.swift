/// The places from which the date of a photograph or video can be read, the most trusted first.
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
    /// A text or a key in a video: QuickTime's `com.apple.quicktime.creationdate`, `©day`, a Matroska tag, or AVI's
    /// `IDIT`.
    case videoMetadata
    /// The date in a video's header: when its file was begun.
    case videoHeader
    /// The name of the file, in the form of a common camera or program.
    case filename
    /// The modification date of the file.
    case file
}
