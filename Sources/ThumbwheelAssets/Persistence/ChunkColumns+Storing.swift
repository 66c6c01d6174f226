import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension ChunkColumns {
    /// Writes the chunk. If the list `edits` has an entry for a row, the values of the entry are written instead of
    /// those in the settled columns (the columns that most edits do not change).
    func write(to writer: inout BlockWriter) {
        writer.write(count: count)
        writer.write(scopeFlagWords)
        writer.write(column: changeNumber, count: count)
        writer.write(column: creation, count: count)
        writer.write(column: modification, count: count)
        settled.write(to: &writer, count: count)
        let trashedSlots = (0..<count).filter { trashedDate(at: $0) != nil }
        writer.write(each: Set(details.keys).union(trashedSlots).sorted()) { writer, slot in
            writer.write(UInt16(slot))
            writer.write(details[slot] ?? RowDetails())
            writer.write(optional: trashedDate(at: slot)?.timeIntervalSinceReferenceDate) { $0.write($1) }
        }
        writePictures(to: &writer)
        writeHashes(to: &writer)
        writeMarks(to: &writer)
        writeIgnoredRenderings(to: &writer)
    }

    /// The columns of an empty chunk. When a chunk is read from a file, it starts as a copy of these columns and shares
    /// their arrays. New columns would be filled with default values, only for these to be replaced at once.
    private static let empty = ChunkColumns()

    /// Reads columns that `write` has written. Throws if a value would make a later read of a row fail.
    ///
    /// - Parameter isLast: whether this is the last chunk of the file. Only the last chunk may be partly filled. Any
    ///   other chunk that is not full is refused, because it would shift the numbers of all rows after it, and because
    ///   a small forged file with many such chunks could make the library allocate much memory.
    convenience init(
        from reader: inout BlockReader, isLast: Bool = true, _ resolve: ProviderResolver
    ) throws(LibraryFileError) {
        let count = try reader.readCount(ofAtLeast: 1)
        try BlockReader.require(count <= Chunk.rowCount, "a chunk of \(count) rows")
        try BlockReader.require(
            isLast ? count > 0 : count == Chunk.rowCount, "a chunk that is not full before others")
        self.init(copying: Self.empty, isSameChunk: false)
        self.count = count
        let settled = ownSettledColumns()
        scopeFlagWords = try reader.readFlags(wordCount: scopeFlagWords.count, count)
        settled.changeNumber = try reader.readColumn(count, absent: 0)
        creation = try reader.readColumn(count, absent: AbsentNumber.value)
        creationBounds = DateBounds(creation.prefix(count))
        settled.modification = try reader.readColumn(count, absent: AbsentNumber.value)
        try settled.read(from: &reader, count: count)
        try readDetails(from: &reader, resolve)
        let hasNoPlaces = latitude.isEmpty || longitude.isEmpty
        try BlockReader.require(!hasNoPlaces || mask(.located).isEmpty, "rows without the location that they have")
        if reader.version >= 3 { try readPictures(from: &reader) }
        if reader.version >= 2 { try readHashes(from: &reader) }
        if reader.version >= 6 { try readMarks(from: &reader) }
        if reader.version >= 8 { try readIgnoredRenderings(from: &reader) }
    }
}

extension ChunkColumns {
    /// Reads the values that only few rows have, in ascending order of the rows. Throws if the chunk has no such row.
    /// The row number is checked before memory is allocated for the values.
    private func readDetails(from reader: inout BlockReader, _ resolve: ProviderResolver) throws(LibraryFileError) {
        let detailedCount = try reader.readCount(ofAtLeast: 6)
        var details: [Int: RowDetails] = [:]
        var trashed: [Double] = []
        var next = 0
        for _ in 0..<detailedCount {
            let slot = Int(try reader.read(UInt16.self))
            try BlockReader.require(next..<count ~= slot, "details of rows that are not there")
            let rowDetails = try reader.readRowDetails(resolve)
            if !rowDetails.isEmpty { details[slot] = rowDetails }
            let date = try reader.readOptional { reader throws(LibraryFileError) in try reader.readDouble() }
            if let date {
                if trashed.isEmpty { trashed = Self.column(AbsentNumber.value) }
                trashed[slot] = date
            }
            next = slot + 1
        }
        setDetails(details, trashed: trashed)
    }

    /// Writes the versions of pictures. First, it writes for each row the version of the picture that the asset shows.
    /// Then it writes for each adjusted asset the version of the original picture.
    private func writePictures(to writer: inout BlockWriter) {
        writer.write(column: pictures, count: count)
        let adjustments = details.sorted { $0.key < $1.key }.compactMap(\.value.adjustment)
        writer.write(adjustments.map { $0.originalPicture ?? PictureVersion(contentVersion: 0) })
    }

    private func readPictures(from reader: inout BlockReader) throws(LibraryFileError) {
        let settled = ownSettledColumns()
        settled.pictures = try reader.readColumn(count, absent: PictureVersion(contentVersion: 0))
        let originals = try reader.readArray(of: PictureVersion.self)
        let adjusted = details.keys.filter { details[$0]?.adjustment != nil }.sorted()
        try BlockReader.require(originals.count == adjusted.count, "originals of what is not adjusted")
        for (slot, picture) in zip(adjusted, originals) { setOriginalPicture(picture, at: slot) }
    }

    private func setOriginalPicture(_ picture: PictureVersion, at slot: Int) {
        guard var adjustment = details[slot]?.adjustment else { return }
        adjustment.originalPicture = picture
        setDetail(\.adjustment, to: adjustment, at: slot)
    }

    fileprivate func namePictures(formerTimeline timeline: UInt64, chunk: Int) {
        let settled = ownSettledColumns()
        for slot in 0..<count {
            let picture = PictureVersion(
                formerTimeline: timeline, row: Chunk.row(chunk, slot), contentVersion: contentVersion(at: slot))
            settled.pictures[slot] = picture
            // The file contains no version for the original picture, so the original gets the version of the shown
            // picture. The image cache does not confuse the two, because its keys also tell whether the original or the
            // current picture is meant.
            setOriginalPicture(picture, at: slot)
        }
    }

    /// Writes the hashes for the present content versions only. Hashes for older versions are not needed after a
    /// restart.
    private func writeHashes(to writer: inout BlockWriter) {
        let known = (0..<count).map { hashes.hash(at: $0, contentVersion: contentVersion(at: $0)) }
        let hasAny = known.contains { $0 != nil }
        writer.write(hasAny)
        if hasAny { for hash in known { writer.write(shortBytes: hash?.bytes ?? []) } }
    }

    /// Writes the marks of files (the data by which imports recognize a moved file), and the digests of the rows'
    /// original files. A digest of two zero words means that there is none.
    private func writeMarks(to writer: inout BlockWriter) {
        writer.write(sparse: settled.nodes, count: count)
        writer.write(sparse: settled.samples, count: count)
        let known = (0..<count).map { digests.digest(at: $0, original: originalPicture(at: $0)) }
        let hasAny = known.contains { $0 != nil }
        writer.write(sparse: hasAny ? known.map { $0?.high ?? 0 } : [], count: count)
        writer.write(sparse: hasAny ? known.map { $0?.low ?? 0 } : [], count: count)
    }

    private func readMarks(from reader: inout BlockReader) throws(LibraryFileError) {
        let settled = ownSettledColumns()
        settled.nodes = try reader.readSparseColumn(count, absent: 0)
        settled.samples = try reader.readSparseColumn(count, absent: 0)
        let high: [UInt64] = try reader.readSparseColumn(count, absent: 0)
        let low: [UInt64] = try reader.readSparseColumn(count, absent: 0)
        for slot in 0..<min(count, high.count, low.count) where high[slot] != 0 || low[slot] != 0 {
            let digest = ContentDigest(high: high[slot], low: low[slot])
            digests.keep(digest, at: slot, original: originalPicture(at: slot))
        }
    }

    /// Writes the dates up to which imports ignore renderings.
    private func writeIgnoredRenderings(to writer: inout BlockWriter) {
        let hasAny = details.values.contains { $0.ignoredRenderingDate != nil }
        let dates = (0..<count).map { details[$0]?.ignoredRenderingDate ?? AbsentNumber.value }
        writer.write(sparse: hasAny ? dates : [], count: count)
    }

    private func readIgnoredRenderings(from reader: inout BlockReader) throws(LibraryFileError) {
        let dates: [Double] = try reader.readSparseColumn(count, absent: AbsentNumber.value)
        for slot in 0..<min(count, dates.count) where !AbsentNumber.isAbsent(dates[slot]) {
            setDetail(\.ignoredRenderingDate, to: dates[slot], at: slot)
        }
    }

    private func readHashes(from reader: inout BlockReader) throws(LibraryFileError) {
        guard try reader.readBool() else { return }
        for slot in 0..<count {
            let bytes = try reader.readShortBytes()
            if bytes.isEmpty { continue }
            guard let hash = ThumbHash(bytes: bytes) else { throw .malformed(reason: "a hash that is none") }
            hashes.keep(hash, at: slot, contentVersion: contentVersion(at: slot))
        }
    }
}

extension ChunkList {
    /// Gives a picture version to every row if the file has an old format that contains none. `formerTimeline` is the
    /// random number of the library object that saved the file.
    func namePictures(ofFileVersion version: UInt32, formerTimeline timeline: UInt64) {
        guard version < 3 else { return }
        for (index, chunk) in enumerated() { chunk.columns.namePictures(formerTimeline: timeline, chunk: index) }
    }
}

extension BlockReader {
    /// Reads the flags of all rows. Each flag is stored in 64-bit words, with one bit for each row. Throws if the
    /// number of words is not `wordCount`, or if a bit is set for a row that does not exist.
    fileprivate mutating func readFlags(wordCount: Int, _ count: Int) throws(LibraryFileError) -> [UInt64] {
        let read = try readArray(of: UInt64.self)
        try Self.require(read.count == wordCount, "\(read.count) words of flags")
        // For each 64-bit word of a flag, a mask that is 1 in the bits beyond the last row of the chunk. A file in
        // which such a bit is set is refused.
        let past = (0..<Chunk.wordCount).map { word in UInt64.max << UInt64(min(64, max(0, count - word * 64))) }
        let hasFlagsPastEnd = read.indices.contains { read[$0] & past[$0 % Chunk.wordCount] != 0 }
        try Self.require(!hasFlagsPastEnd, "flags of rows that are not there")
        return read
    }
}

extension SettledColumns {
    /// Writes the settled columns (those that most edits do not change). Change numbers and modification dates are left
    /// out. The chunk writes these two columns itself, because its list of edits may contain newer values for them.
    func write(to writer: inout BlockWriter, count: Int) {
        writer.write(column: identifiers, count: count)
        writer.write(flags)
        writer.write(column: contentVersion, count: count)
        writer.write(column: mediaType, count: count)
        writer.write(column: sourceType, count: count)
        writer.write(column: added, count: count)
        writer.write(column: width, count: count)
        writer.write(column: height, count: count)
        writer.write(column: fileSize, count: count)
        writer.write(sparse: subtypes, count: count)
        writer.write(sparse: duration, count: count)
        writer.write(sparse: newestFileDate, count: count)
        writer.write(sparse: latitude, count: count)
        writer.write(sparse: longitude, count: count)
        writer.write(sparse: altitude, count: count)
        filenames.write(to: &writer)
        bursts.write(to: &writer)
        writer.write(each: prototypes) { $0.write($1) }
        writer.write(column: prototype, count: count)
        writer.write(column: captureClock, count: count)
        writer.write(column: captureZone, count: count)
        writer.write(sparse: previewStart, count: count)
        writer.write(sparse: previewCount, count: count)
        writer.write(each: folders) { $0.write($1) }
        writer.write(column: folder, count: count)
    }

    func read(from reader: inout BlockReader, count: Int) throws(LibraryFileError) {
        identifiers = try reader.readColumn(count, absent: AssetIdentifier(high: 0, low: 0))
        flags = try reader.readFlags(wordCount: flags.count, count)
        contentVersion = try reader.readColumn(count, absent: 0)
        mediaType = try reader.readColumn(count, absent: 0)
        sourceType = try reader.readColumn(count, absent: 0)
        added = try reader.readColumn(count, absent: AbsentNumber.value)
        width = try reader.readColumn(count, absent: Int32(0)).map { max(0, $0) }
        height = try reader.readColumn(count, absent: Int32(0)).map { max(0, $0) }
        fileSize = try reader.readColumn(count, absent: Int64(0)).map {
            min(max(0, $0), Int64(ImageHead.byteCountLimit))
        }
        subtypes = try reader.readSparseColumn(count, absent: 0)
        duration = try reader.readSparseColumn(count, absent: 0)
        newestFileDate = try reader.readSparseColumn(count, absent: AbsentNumber.value)
        latitude = try reader.readSparseColumn(count, absent: AbsentNumber.value)
        longitude = try reader.readSparseColumn(count, absent: AbsentNumber.value)
        altitude = try reader.readSparseColumn(count, absent: AbsentNumber.value)
        filenames = try TextColumn(from: &reader)
        bursts = try TextColumn(from: &reader)
        prototypes = try reader.readEach(ofAtLeast: 54) { reader throws(LibraryFileError) in
            try reader.readImageHead()
        }
        prototype = try reader.readColumn(count, absent: 0)
        captureClock = try reader.readColumn(count, absent: 0)
        captureZone = try reader.readColumn(count, absent: PackedCaptureDate.absentZone)
        previewStart = try reader.readSparseColumn(count, absent: 0)
        previewCount = try reader.readSparseColumn(count, absent: 0)
        folders = try reader.readEach(ofAtLeast: 8) { reader throws(LibraryFileError) in try reader.readText() }
        folder = try reader.readColumn(count, absent: Self.noFolder)
        try requireReferencesInRange(count)
    }

    private func requireReferencesInRange(_ count: Int) throws(LibraryFileError) {
        let (prototypeCount, folderCount) = (prototypes.count, folders.count)
        try BlockReader.require(prototypeCount <= UInt16.max && folderCount <= Self.noFolder, "more heads than rows")
        let hasPrototypes = prototype.prefix(count).allSatisfy { Int($0) < prototypeCount }
        try BlockReader.require(hasPrototypes, "rows without a head")
        let hasFolders = folder.prefix(count).allSatisfy { Int($0) < folderCount || $0 == Self.noFolder }
        try BlockReader.require(hasFolders, "rows without their folder")
        let hasNoPreviews = previewStart.isEmpty || previewCount.isEmpty
        try BlockReader.require(
            !hasNoPreviews || prototypes.allSatisfy(\.previews.isEmpty), "rows without the preview that they have")
    }
}

extension TextColumn {
    func write(to writer: inout BlockWriter) {
        writer.write(bytes)
        writer.write(ends)
    }

    init(from reader: inout BlockReader) throws(LibraryFileError) {
        let column = TextColumn(
            bytes: try reader.readArray(of: UInt8.self), ends: try reader.readArray(of: UInt32.self))
        guard let column else { throw .malformed(reason: "names that do not end in their order") }
        self = column
    }
}
