import ThumbwheelCore

/// What an EXIF block tells that a head keeps. Every fact stands for itself: a damaged one is as one that is missing.
struct EXIF {
    var orientation = ImageOrientation.up
    var captureDate: CaptureDate?
    var colorSpace: EXIFColorSpace?
    var preview: EmbeddedPreview?

    init() {}

    /// Reads the block at `extent`, which may begin with `Exif` and two bytes of padding. Fails only where the source
    /// cannot be read.
    init(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) {
        do throws(HeadError) {
            let isPrefixed = try reader.matches("Exif\0", at: extent.lowerBound)
            let structure = try TIFFStructure(&reader, in: extent.suffix(at: isPrefixed ? 6 : 0))
            let main = try structure.directory(&reader, at: structure.firstDirectory)
            try read(&reader, structure, main: main)
            try readPreview(&reader, structure, after: main)
        } catch  where error.concernsBytes {
            // Keep what was found before the damage.
        }
    }

    /// Takes the facts that the first directory and those below it hold.
    mutating func read(
        _ reader: inout HeadReader, _ structure: TIFFStructure, main: TIFFStructure.Directory
    ) throws(HeadError) {
        if let value = try structure.integer(&reader, main.entries[Tag.orientation]) {
            orientation = UInt8(exactly: value).flatMap(ImageOrientation.init(rawValue:)) ?? .up
        }
        var details = TIFFStructure.Directory()
        do throws(HeadError) {
            details = try structure.directory(&reader, pointedAtBy: main.entries[Tag.details]) ?? details
        } catch  where error.concernsBytes {
            // The first directory's own date is still there.
        }
        let dates = [
            (details.entries[Tag.dateTimeOriginal], Tag.subsecondOriginal, Tag.offsetOriginal),
            (details.entries[Tag.dateTimeDigitized], Tag.subsecondDigitized, Tag.offsetDigitized),
            (main.entries[Tag.dateTime], Tag.subsecond, Tag.offset),
        ]
        for (entry, subsecond, offset) in dates where captureDate == nil {
            guard let text = try structure.text(&reader, entry) else { continue }
            captureDate = CaptureDate(
                exif: text,
                subsecond: try structure.text(&reader, details.entries[subsecond]),
                offset: try structure.text(&reader, details.entries[offset]))
        }
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
        // DCF 2.0 writes Adobe RGB as "uncalibrated" and says R03 in the interoperability directory.
        guard declared != .sRGB else { return declared }
        let interoperability = try structure.directory(&reader, pointedAtBy: details.entries[Tag.interoperability])
        let index = try structure.text(&reader, interoperability?.entries[Tag.interoperabilityIndex], limit: 4)
        return index == [UInt8]("R03".utf8) ? .adobeRGB : declared
    }

    /// Takes the JPEG that the second directory of the chain (IFD1) points at.
    private mutating func readPreview(
        _ reader: inout HeadReader, _ structure: TIFFStructure, after main: TIFFStructure.Directory
    ) throws(HeadError) {
        guard let next = main.next else { return }
        let directory = try structure.directory(&reader, at: next)
        guard let offset = try structure.integer(&reader, directory.entries[Tag.previewOffset]),
            let count = try structure.integer(&reader, directory.entries[Tag.previewByteCount]), count > 4
        else { return }
        // Some writers let the preview run on behind the EXIF segment: the file is what must hold it.
        let available = structure.extent.lowerBound..<reader.byteCount
        let range = try available.subrange(at: offset, count: count)
        guard try reader.integer(at: range.lowerBound, width: 2) == 0xFFD8 else { return }
        let picture = try JPEGHead.picture(&reader, in: range)
        preview = EmbeddedPreview(kind: .exif, byteRange: range, contentType: .jpeg, pixelSize: picture?.size)
    }
}
