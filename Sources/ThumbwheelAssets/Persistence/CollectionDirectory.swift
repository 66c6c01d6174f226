import ThumbwheelCore

/// The lengths and checksums of the records of albums and folders in a library's file.
///
/// The directory is stored before the records and again after them. If one copy is damaged, the other is used, so that
/// no record is lost.
struct CollectionDirectory: Equatable {
    struct Entry: Equatable {
        let byteCount: Int
        let digest: UInt64
    }

    let nextSequence: UInt64
    /// The entries in the order of the records. The first entry belongs to the top level.
    let entries: [Entry]

    init(of records: [CollectionRecord], nextSequence: UInt64) {
        self.nextSequence = nextSequence
        // The records are converted to bytes twice: here for their checksums, and later for the file. So the bytes of
        // all records are never in memory at the same time.
        var writer = BlockWriter()
        entries = records.map { record in
            writer.removeAll()
            writer.write(record)
            return Entry(byteCount: writer.bytes.count, digest: XXHash64.digest(writer.bytes))
        }
    }

    /// Reads a copy of the directory: the lengths and checksums of the records. The file contains two copies, one
    /// before the records and one after them.
    init(from reader: inout BlockReader) throws(LibraryFileError) {
        nextSequence = try reader.read()
        entries = try reader.readEach(ofAtLeast: 16) { reader throws(LibraryFileError) in
            let byteCount = try reader.readInt()
            try BlockReader.require(byteCount >= 0, "a collection of \(byteCount) bytes")
            return Entry(byteCount: byteCount, digest: try reader.read())
        }
        try BlockReader.require(try reader.read() == digest, "a list of collections whose checksum is wrong")
    }

    /// Reads the directory's second copy, which is stored after the records, at the end of the block. It contains the
    /// lengths and checksums of the records. Nil if this copy is damaged.
    init?(atEndOf block: ArraySlice<UInt8>) {
        var end = BlockReader(Array(block.suffix(MemoryLayout<UInt64>.size)))
        guard let byteCount = try? end.readInt(), 0...block.count - end.position ~= byteCount else { return nil }
        var reader = BlockReader(Array(block.dropLast(end.position).suffix(byteCount)))
        guard let directory = try? CollectionDirectory(from: &reader), reader.remainingCount == 0 else { return nil }
        self = directory
    }

    /// The bytes of the directory's first copy, which is stored before the records. It contains the lengths and
    /// checksums of the records.
    var bytes: [UInt8] {
        var writer = contents
        writer.write(digest)
        return writer.bytes
    }

    /// The bytes of the directory's second copy, which is stored after the records. It contains the lengths and
    /// checksums of the records, and ends with its own length. So a reader can find its start from the end of the
    /// block.
    var trailingBytes: [UInt8] {
        var writer = contents
        writer.write(digest)
        writer.write(count: writer.bytes.count)
        return writer.bytes
    }

    private var contents: BlockWriter {
        var writer = BlockWriter()
        writer.write(nextSequence)
        writer.write(each: entries) { writer, entry in
            writer.write(count: entry.byteCount)
            writer.write(entry.digest)
        }
        return writer
    }

    private var digest: UInt64 { XXHash64.digest(contents.bytes) }
}
