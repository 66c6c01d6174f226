import ThumbwheelCore

/// Reads the undamaged records of albums and folders from a block that may be damaged.
struct CollectionRecovery {
    private(set) var root: CollectionRecord?
    private(set) var records: [CollectionRecord] = []
    private(set) var losses: [RecoveryReport.Loss] = []
    /// The length of the block in bytes. The range that was read may be longer.
    private(set) var byteCount = 0

    /// Reads the undamaged records from the block of albums and folders.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the file.
    ///   - range: the part of the file from the start of the block to its end, or to the end of the file if the length
    ///     of the block is not known.
    ///   - version: the format version of the file. Files before version 4 have no checksums for single collections, so
    ///     their block must be undamaged.
    /// - Throws: `LibraryFileError` if both copies of the list of the records' lengths are damaged or, before version
    ///   4, if the block is damaged.
    init(_ bytes: [UInt8], _ range: Range<Int>, version: UInt32) throws(LibraryFileError) {
        var reader = BlockReader(Array(bytes[range]), version: version)
        guard version >= 4 else {
            let (_, root, records) = try reader.readCollections()
            (self.root, self.records, byteCount) = (root, records, reader.position)
            return
        }
        let size: Int
        let directory: CollectionDirectory
        if let leading = try? CollectionDirectory(from: &reader) {
            (directory, size) = (leading, reader.position)
        } else if let trailing = CollectionDirectory(atEndOf: bytes[range]) {
            (directory, size) = (trailing, trailing.bytes.count)
            lose(.contents, range.lowerBound..<range.lowerBound + size)
        } else {
            throw .damaged(byteRange: range)
        }
        var start = range.lowerBound + size
        for (index, entry) in directory.entries.enumerated() {
            // If an entry states more bytes for a record than are left, the block was cut short or the list of lengths
            // was forged. The rest of the block is then lost.
            guard 0...range.upperBound - start ~= entry.byteCount else {
                lose(.collections, start..<range.upperBound)
                byteCount = range.count
                return
            }
            let place = start..<start + entry.byteCount
            start = place.upperBound
            guard XXHash64.digest(bytes[place]) == entry.digest else {
                lose(.collections, place)
                continue
            }
            var reader = BlockReader(Array(bytes[place]), version: version)
            do throws(LibraryFileError) {
                let record = try reader.readCollectionRecord()
                if index == 0 { root = record } else { records.append(record) }
            } catch {
                losses.append(RecoveryReport.Loss(content: .collections, byteRange: place, error: error))
            }
        }
        let copy = start..<min(start + directory.trailingBytes.count, range.upperBound)
        if !bytes[copy].elementsEqual(directory.trailingBytes) { lose(.contents, copy) }
        byteCount = copy.upperBound - range.lowerBound
    }

    private mutating func lose(_ content: RecoveryReport.Loss.Content, _ range: Range<Int>) {
        losses.append(RecoveryReport.Loss(content: content, byteRange: range, error: .damaged(byteRange: range)))
    }
}
