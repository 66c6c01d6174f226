import ThumbwheelCore

/// The JPEGs in the directories of a TIFF structure, and whether the structure is a camera's RAW file.
///
/// Cameras put their own rendering of the photograph beside the sensor's data, at up to full size, in a directory of
/// the chain or below one (TIFF/EP; DNG 1.7, "Preview Images").
struct TIFFPreviews {
    struct Picture {
        var preview: EmbeddedPreview
        var size: PixelSize
        var coding: JPEGCoding
        /// Whether the directory states that the picture is a smaller version of another picture.
        var isReduced: Bool
        /// Whether the picture is a version of the file's first page.
        var isOfFirstPage: Bool
    }

    private(set) var pictures: [Picture] = []
    private(set) var isRAW = false

    /// The number of bytes in which a frame header is searched: a full-size picture has metadata of its own before that
    /// header.
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
            // The pictures that were found before the damage are kept.
        }
    }

    private mutating func look(
        _ reader: inout HeadReader, _ structure: TIFFStructure, at directory: TIFFStructure.Directory, isReduced: Bool,
        isOfFirstPage: Bool
    ) throws(HeadError) {
        let interpretation = try structure.integer(&reader, directory.entries[Tag.photometricInterpretation])
        // The two codes stand for a colour filter array, and for linear data made from one.
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

    /// Returns the place of a directory's JPEG: the JPEG that the directory points at with EXIF's preview fields, or
    /// else its only strip.
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
