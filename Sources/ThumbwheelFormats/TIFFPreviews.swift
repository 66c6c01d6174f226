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

    /// A directory that has yet to be read.
    private struct Candidate {
        let directory: TIFFStructure.Directory
        /// Whether the directory is in the file's own chain, and not below another directory.
        let isInChain: Bool
        /// Whether the directory before it, or above it, belongs to the first page.
        let followsFirstPage: Bool
    }

    private(set) var pictures: [Picture] = []
    private(set) var isRAW = false

    /// How many directories are looked at, and how many below one.
    private static let directoryLimit = 32
    private static let subdirectoryLimit = 8
    /// A full-size picture brings metadata of its own in front of its frame header.
    private static let searchLimit = 80 << 10

    init(
        _ reader: inout HeadReader, _ structure: TIFFStructure, main: TIFFStructure.Directory
    ) throws(HeadError) {
        isRAW = main.entries[Tag.dngVersion] != nil
        var visited: Set<Int> = [structure.firstDirectory]
        var waiting = [Candidate(directory: main, isInChain: true, followsFirstPage: true)]
        do throws(HeadError) {
            while let candidate = waiting.popLast() {
                let directory = candidate.directory
                let role = try Role(&reader, structure, directory)
                // The next full picture of the chain begins another page, and all directories after it and below it
                // belong to that page.
                let beginsPage = candidate.isInChain && role == .full && visited.count > 1
                let isOfFirstPage = candidate.followsFirstPage && !beginsPage
                try look(&reader, structure, at: directory, isReduced: role == .reduced, isOfFirstPage: isOfFirstPage)
                var places = directory.next.map { [$0] } ?? []
                let below = directory.entries[Tag.subdirectories]
                for index in 0..<min(below?.count ?? 0, Self.subdirectoryLimit) {
                    guard let offset = try structure.integer(&reader, below, at: index),
                        let place = try? structure.extent.subrange(at: offset, count: 2)
                    else { continue }
                    places.append(place.lowerBound)
                }
                for place in places where visited.count < Self.directoryLimit && visited.insert(place).inserted {
                    waiting.append(
                        Candidate(
                            directory: try structure.directory(&reader, at: place),
                            isInChain: candidate.isInChain && place == directory.next,
                            followsFirstPage: isOfFirstPage))
                }
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
            guard compression == 6 || compression == 7, entries[Tag.sharedTables] == nil,
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

/// The role of a directory's picture among the others (TIFF 6.0, NewSubfileType, and SubfileType before it).
private enum Role {
    case full, reduced, mask

    init(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ directory: TIFFStructure.Directory
    ) throws(HeadError) {
        let flags = try structure.integer(&reader, directory.entries[Tag.subfileType]) ?? 0
        let formerKind = try structure.integer(&reader, directory.entries[Tag.formerSubfileType])
        if flags & 4 != 0 {
            self = .mask
        } else {
            self = flags & 1 != 0 || formerKind == 2 ? .reduced : .full
        }
    }
}
