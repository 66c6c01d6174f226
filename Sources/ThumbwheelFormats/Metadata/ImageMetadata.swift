/// The parts of a file that describe its photograph, and that are read after the head, by those who ask for the facts in them.
struct ImageMetadata {
    /// The EXIF block; it was read as far as the head needs it.
    var exif: EXIF?
    /// The place of the XMP packet.
    var xmp: Range<Int>?
    /// The pictures that a multi-picture JPEG lists.
    var pictures: [MultiPictureIndex.Entry] = []
    /// The names of the kinds of a HEIF picture's auxiliary items.
    var auxiliaryKinds: [String] = []
    /// The structure of the file that announces a gain map, for people; nil if none does.
    var gainMap: String?
    /// The dates that the chunks of a PNG state, the best first.
    var pngDates = PNGDates()
    /// The program that a text of a PNG names.
    var pngSoftware = ""
}
