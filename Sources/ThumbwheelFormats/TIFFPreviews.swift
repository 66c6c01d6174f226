import ThumbwheelCore

/// The JPEGs that the directories of a TIFF structure hold, and whether it is a camera's RAW file.
///
/// Cameras put their own rendering of the photograph beside the sensor's data, at up to full size, in a directory of the
/// chain or below one (TIFF/EP; DNG 1.7, "Preview Images").
struct TIFFPreviews {
    struct Picture {
        var preview: EmbeddedPreview
        var size: PixelSize
        var coding: JPEGCoding
        /// Whether its directory says that it stands for another, larger one.
        var isReduced: Bool
        /// Whether that larger picture is the file's first page.
        var isOfFirstPage: Bool
    }

    private(set) var pictures: [Picture] = []
    private(set) var isRAW = false

    /// A full-size picture brings metadata of its own in front of its frame header.
    private static let searchLimit = 80 << 10

    init(
        _ reader: inout HeadReader, _ structure: TIFFStructure, main: TIFFStructure.Directory
    ) throws(HeadError) {
        isRAW = main.entries[Tag.dngVersion] != nil
        var walk = TIFFDirectoryWalk(structure, main: main)
        do throws(HeadError) {
            while let step = try walk.next(&reader) {
                try look(
                    &reader, structure, at: step.directory, isReduced: step.role == .reduced,
                    isOfFirstPage: step.isOfFirstPage)
            }
        } catch  where error.concernsBytes {
            // What was found before the damage stands.
        }
    }

    private mutating func look(
        _ reader: inout HeadReader, _ structure: TIFFStructure, at directory: TIFFStructure.Directory, isReduced: Bool,
        isOfFirstPage: Bool
    ) throws(HeadError) {
        let interpretation = try structure.integer(&reader, directory.entries[Tag.photometricInterpretation])
        // A colour filter array, or what was made linear of one.
        if interpretation == 32_803 || interpretation == 34_892 { isRAW = true }
        guard let range = try jpeg(&reader, structure, in: directory),
            try reader.integer(at: range.lowerBound, width: 2) == 0xFFD8,
            let picture = try JPEGHead.picture(&reader, in: range, searching: Self.searchLimit)
        else { return }
        // Sensor data are stored as lossless JPEG of more than 8 bits.
        let processes: [JPEGCoding.Process] = [.baseline, .extendedSequential, .progressive]
        guard picture.bitsPerChannel == 8, processes.contains(picture.coding.process) else { return }
        pictures.append(
            Picture(
                preview: EmbeddedPreview(
                    kind: .raw, byteRange: range, contentType: .jpeg, pixelSize: picture.size),
                size: picture.size, coding: picture.coding, isReduced: isReduced, isOfFirstPage: isOfFirstPage))
    }

    /// Where a directory's JPEG is: the one it points at as EXIF does, or its only strip.
    private func jpeg(
        _ reader: inout HeadReader, _ structure: TIFFStructure, in directory: TIFFStructure.Directory
    ) throws(HeadError) -> Range<Int>? {
        let entries = directory.entries
        var (offset, count) = (entries[Tag.previewOffset], entries[Tag.previewByteCount])
        if offset == nil || count == nil {
            let compression = try structure.integer(&reader, entries[Tag.compression])
            guard compression == 6 || compression == 7, entries[Tag.jpegTables] == nil,
                entries[Tag.stripOffsets]?.count == 1
            else { return nil }
            (offset, count) = (entries[Tag.stripOffsets], entries[Tag.stripByteCounts])
        }
        guard let start = try structure.integer(&reader, offset), let length = try structure.integer(&reader, count),
            length > 4
        else { return nil }
        return try? structure.extent.subrange(at: start, count: length)
    }
}
