/// The parts of a file that describe its photograph but do not belong in an `ImageHead`. They are read only for callers
/// that ask for them.
struct ImageMetadata {
    /// The EXIF block. So far, only the facts for the `ImageHead` have been read from it.
    var exif: EXIF?
    /// The place of the XMP packet.
    var xmp: Range<Int>?
    /// The pictures that a multi-picture JPEG lists.
    var pictures: [MultiPictureIndex.Entry] = []
    /// The names of the kinds of a HEIF picture's auxiliary items.
    var auxiliaryKinds: [String] = []
    /// The name, for people, of the structure in the file that announces a gain map; nil if there is none.
    var gainMap: String?
    /// The dates that the chunks of a PNG state, the best first.
    var pngDates = PNGDates()
    /// The program that wrote a PNG, as a text in the file names it; empty if none does.
    var pngSoftware = ""
}
