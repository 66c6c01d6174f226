import ThumbwheelCore

/// The facts in an EXIF block that belong in an `ImageHead`. A damaged fact counts as missing, and the others are kept.
struct EXIF {
    var orientation = ImageOrientation.up
    var captureDate: CaptureDate?
    /// The field that `captureDate` was read from.
    var dateSource: DateSource?
    var colorSpace: EXIFColorSpace?
    var preview: EmbeddedPreview?

    // The directories that were read. `PhotographFacts` later reads further facts from them.
    private(set) var structure: TIFFStructure?
    private(set) var main = TIFFStructure.Directory()
    private(set) var details = TIFFStructure.Directory()

    init() {}

    /// Reads the block at `extent`, which may begin with `Exif` and two bytes of padding. Fails only if the source
    /// cannot be read.
    init(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) {
        do throws(HeadError) {
            let isPrefixed = try reader.matches("Exif\0", at: extent.lowerBound)
            let structure = try TIFFStructure(&reader, in: extent.suffix(at: isPrefixed ? 6 : 0))
            let main = try structure.directory(&reader, at: structure.firstDirectory)
            try read(&reader, structure, main: main)
            try readPreview(&reader, structure, after: main)
        } catch  where error.concernsBytes {
            // The facts that were found before the damage are kept.
        }
    }

    /// Reads the facts in the first directory and in the directories below it.
    mutating func read(
        _ reader: inout HeadReader, _ structure: TIFFStructure, main: TIFFStructure.Directory
    ) throws(HeadError) {
        self.structure = structure
        self.main = main
        if let value = try structure.integer(&reader, main.entries[Tag.orientation]) {
            orientation = UInt8(exactly: value).flatMap(ImageOrientation.init(rawValue:)) ?? .up
        }
        do throws(HeadError) {
            details = try structure.directory(&reader, pointedAtBy: main.entries[Tag.details]) ?? details
        } catch  where error.concernsBytes {
            // The EXIF directory is damaged, but the date in the first directory can still be read.
        }
        let dates: [(TIFFStructure.Entry?, Int, Int, DateSource)] = [
            (details.entries[Tag.dateTimeOriginal], Tag.subsecondOriginal, Tag.offsetOriginal, .exifOriginal),
            (details.entries[Tag.dateTimeDigitized], Tag.subsecondDigitized, Tag.offsetDigitized, .exifDigitized),
            (main.entries[Tag.dateTime], Tag.subsecond, Tag.offset, .exifModified),
        ]
        for (entry, subsecond, offset, source) in dates where captureDate == nil {
            guard let text = try structure.text(&reader, entry) else { continue }
            dateSource = source
            captureDate = CaptureDate(
                exif: text,
                subsecond: try structure.text(&reader, details.entries[subsecond]),
                offset: try structure.text(&reader, details.entries[offset]))
        }
        if captureDate == nil { dateSource = nil }
        colorSpace = try readColorSpace(&reader, structure, details)
    }

    private func readColorSpace(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ details: TIFFStructure.Directory
    ) throws(HeadError) -> EXIFColorSpace? {
        let declared: EXIFColorSpace? =
            switch try structure.integer(&reader, details.entries[Tag.colorSpace]) {
            case 1: .sRGB
            case 2: .adobeRGB
            case 0xFFFF: .uncalibrated
            default: nil
            }
        // DCF 2.0 marks Adobe RGB as "uncalibrated", and states `R03` in the interoperability directory.
        guard declared != .sRGB else { return declared }
        let interoperability = try structure.directory(&reader, pointedAtBy: details.entries[Tag.interoperability])
        let index = try structure.text(&reader, interoperability?.entries[Tag.interoperabilityIndex], limit: 4)
        return index == [UInt8]("R03".utf8) ? .adobeRGB : declared
    }

    /// Reads the preview: the JPEG that the second directory of the chain (IFD1) points at.
    private mutating func readPreview(
        _ reader: inout HeadReader, _ structure: TIFFStructure, after main: TIFFStructure.Directory
    ) throws(HeadError) {
        guard let next = main.next else { return }
        let directory = try structure.directory(&reader, at: next)
        guard let offset = try structure.integer(&reader, directory.entries[Tag.previewOffset]),
            let count = try structure.integer(&reader, directory.entries[Tag.previewByteCount]), count > 4
        else { return }
        // Some writers let the preview extend beyond the EXIF segment, so it only has to lie within the file.
        let available = structure.extent.lowerBound..<reader.byteCount
        let range = try available.subrange(at: offset, count: count)
        guard try reader.integer(at: range.lowerBound, width: 2) == 0xFFD8 else { return }
        let picture = try JPEGHead.picture(&reader, in: range)
        preview = EmbeddedPreview(kind: .exif, byteRange: range, contentType: .jpeg, pixelSize: picture?.size)
    }
}
