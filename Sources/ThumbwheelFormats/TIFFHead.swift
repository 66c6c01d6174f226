import ThumbwheelCore

/// Reads the header of a TIFF or BigTIFF file from its first directory, and counts the other directories (TIFF 6.0).
struct TIFFHead: HeadFormat {
    static let contentTypes: [ContentType] = [.tiff, .cr2, .dng, .nef, .arw]

    // The first four bytes of TIFF and BigTIFF files, which state the byte order and the version.
    private static let marks: [StaticString] = ["II*\0", "MM\0*", "II+\0", "MM\0+"]

    /// Recognises TIFF files. Only Canon's RAW format can be told by the first bytes. The RAW formats of other cameras
    /// are told apart by the directories.
    static func contentType(of start: FileStart) -> ContentType? {
        guard Self.marks.contains(where: { start.has($0) }) else { return nil }
        return start.has("CR", at: 8) ? .cr2 : .tiff
    }

    /// The number of pages at which counting stops; it is more than a renderer accepts.
    static let pageLimit = 1001

    static func read(
        _ reader: inout HeadReader, as sniffed: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        let structure = try TIFFStructure(&reader, in: reader.extent)
        let main = try structure.directory(&reader, at: structure.firstDirectory)
        guard let width = try structure.integer(&reader, main.entries[Tag.width]),
            let height = try structure.integer(&reader, main.entries[Tag.height]),
            1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height
        else { throw .malformed(reason: "a first directory without a size") }

        let previews = try TIFFPreviews(&reader, structure, main: main)
        let type = try rawType(&reader, structure, main: main, previews, sniffedAs: sniffed)
        var head = ImageHead(contentType: type ?? .tiff, storedSize: PixelSize(width: width, height: height))
        head.bitsPerChannel = try structure.integer(&reader, main.entries[Tag.bitsPerSample]) ?? 1
        let coding = try TIFFCoding(&reader, structure, main)
        head.hasAlpha = coding.hasAlpha
        if type == nil { head.tiff = coding }

        var exif = EXIF()
        do throws(HeadError) {
            try exif.read(&reader, structure, main: main)
        } catch  where error.concernsBytes {
            // Damage in the EXIF directory does not concern the image's own fields.
        }
        head.orientation = exif.orientation
        head.captureDate = exif.captureDate
        head.exifColorSpace = exif.colorSpace
        metadata.exif = exif
        metadata.xmp = main.entries[Tag.xmp].flatMap { try? reader.extent.subrange(at: $0.position, count: $0.count) }
        if let profile = main.entries[Tag.profile] {
            let extent = try reader.extent.subrange(at: profile.position, count: profile.count)
            head.profile = try ICCProfile(extents: [extent]).describe(&reader)
        }
        if type != nil {
            head.show(previews.pictures)
        } else {
            head.previews = previews.pictures.filter { $0.isReduced && $0.isOfFirstPage }.map(\.preview)
            head.frameCount = try pageCount(&reader, structure, after: main)
        }
        return head
    }

    /// Returns the type of a camera's RAW file; nil for an ordinary TIFF.
    private static func rawType(
        _ reader: inout HeadReader, _ structure: TIFFStructure, main: TIFFStructure.Directory,
        _ previews: TIFFPreviews, sniffedAs sniffed: ContentType
    ) throws(HeadError) -> ContentType? {
        if sniffed == .cr2 { return .cr2 }
        if main.entries[Tag.dngVersion] != nil { return .dng }
        guard previews.isRAW, let make = try structure.text(&reader, main.entries[Tag.make]) else { return nil }
        if make.starts(with: "NIKON".utf8) { return .nef }
        return make.starts(with: "SONY".utf8) ? .arw : nil
    }

    /// Counts the pages by following the chain of directories until it ends, comes back to a visited directory, or
    /// exceeds a limit.
    private static func pageCount(
        _ reader: inout HeadReader, _ structure: TIFFStructure, after main: TIFFStructure.Directory
    ) throws(HeadError) -> Int {
        var visited: Set<Int> = [structure.firstDirectory]
        var next = main.next
        do throws(HeadError) {
            while let place = next, visited.count < pageLimit, visited.insert(place).inserted {
                next = try structure.next(&reader, after: place)
            }
        } catch  where error.concernsBytes {
            // The last directory that was visited could not be read, so it does not count.
            return max(1, visited.count - 1)
        }
        return visited.count
    }
}

extension ImageHead {
    /// Makes the camera's largest preview the picture that this value describes, because nothing else in a RAW file can
    /// be shown.
    fileprivate mutating func show(_ pictures: [TIFFPreviews.Picture]) {
        previews = pictures.map(\.preview).sorted { $0.byteRange.count < $1.byteRange.count }
        guard let largest = pictures.max(by: { $0.size.pixelCount < $1.size.pixelCount }) else { return }
        storedSize = largest.size
        jpeg = largest.coding
        bitsPerChannel = 8
        hasAlpha = false
    }
}

extension TIFFStructure {
    /// Returns the place of the directory that follows the directory at `place`, without reading that directory's
    /// entries.
    func next(_ reader: inout HeadReader, after place: Int) throws(HeadError) -> Int? {
        try reader.enterPart()
        let count = try reader.integer(at: place, width: isBig ? 8 : 2, order: order)
        guard count <= Self.entryLimit else { throw .limitExceeded(reason: "a directory of \(count) entries") }
        let end = place + (isBig ? 8 + 20 * count : 2 + 12 * count)
        let offset = try reader.integer(at: end, width: isBig ? 8 : 4, order: order)
        return offset == 0 ? nil : try extent.subrange(at: offset, count: 2).lowerBound
    }
}
