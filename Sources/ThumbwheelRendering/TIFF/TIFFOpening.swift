import ThumbwheelCore
import ThumbwheelFormats

/// A TIFF that is open for a decode: the version of its first page that is decoded, and the opener of the strips or
/// tiles of that version.
struct TIFFOpening {
    let opener: TIFFBlockOpener
    /// The scale at which JPEG streams are decoded, in eighths of full size; 8 for other compressions.
    let eighths: Int
    /// The size of the decoded picture in pixels.
    let size: PixelSize
    /// The number of decoded pixels for each pixel of the page, in each direction; nil if JPEG streams are not reduced.
    let exactScale: (horizontal: Double, vertical: Double)?
    /// The row and column of the first strip or tile that is likely to be needed.
    let firstPlace: (row: Int, column: Int)

    private let bytes: any ByteSource
    private let pictures: TIFFPictures
    private let keepsProfile: Bool

    /// The size of the page in pixels.
    var storedSize: PixelSize { pictures.picture.size }
    var profileRange: Range<Int>? { pictures.profile }

    /// - Returns: nil for layouts, samples or compressions that the decoder does not support.
    init?(_ input: DecoderInput) throws(RenderError) {
        guard let pictures = try TIFFPictures(in: input.bytes) else { return nil }
        guard pictures.picture.size.pixelCount <= input.limits.pixelCount else {
            throw .limitExceeded(limit: .pixels)
        }
        let choice = TIFFLevelChoice(of: pictures, minimumScale: input.minimumScale, levelScale: input.levelScale)
        let (level, levelScale, eighths) = (choice.level, choice.scale, choice.eighths)
        guard
            let opener = try TIFFBlockOpener(
                input.bytes, level, order: pictures.byteOrder, eighths: eighths,
                keepsAllBits: input.keepsAllBits, limits: input.limits, guardian: input.guardian)
        else { return nil }
        self.opener = opener
        self.eighths = eighths
        self.pictures = pictures
        bytes = input.bytes
        keepsProfile = input.conversion == .output
        let scale = Double(eighths) / 8
        exactScale = eighths == 8 ? nil : (levelScale.horizontal * scale, levelScale.vertical * scale)
        size = PixelSize(width: (level.size.width * eighths + 7) / 8, height: (level.size.height * eighths + 7) / 8)
        let box = input.region.stored(
            under: input.head.orientation, displayWidth: Double(input.head.displaySize.width),
            displayHeight: Double(input.head.displaySize.height))
        let column = Int(max(0, min(box.x, 1e9)) * levelScale.horizontal) / level.blockSize.width
        let row = Int(max(0, min(box.y, 1e9)) * levelScale.vertical) / level.blockSize.height
        firstPlace = (row: min(row, level.rowCount - 1), column: min(column, level.columnCount - 1))
    }

    /// The ICC profile; nil if the file has none, or if the caller does not want it.
    var profile: [UInt8]? {
        guard keepsProfile, let place = pictures.profile, place.length <= ColorConversion.profileByteLimit else {
            return nil
        }
        return try? bytes.bytes(in: place)
    }
}
