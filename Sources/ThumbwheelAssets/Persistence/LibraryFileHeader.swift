import ThumbwheelCore

/// The header of a library's file, with the length of the file and the position of its table of blocks. It is written
/// last.
///
/// The file consists of this header, one block for each chunk of rows, one block for albums and folders, one block for
/// the history, and a table with the length and the checksum of each block. All numbers are little-endian, except in
/// columns: these have the bytes that they have in memory.
struct LibraryFileHeader: Equatable {
    /// The version of the file's format.
    private(set) var version = currentVersion
    var snapshotNumber: UInt64
    var chunkCount: Int
    var tableOffset: Int
    var byteCount: Int
    var tableDigest: UInt64

    /// The newest version of the file format. Each change of the format must raise it, and files with older versions
    /// must remain readable. Each version has added something:
    ///
    /// - 2: the thumbnail hashes, after the rows of each chunk.
    /// - 3: the picture versions, before the hashes. In the metadata of images: the coding of a TIFF or HEIF file, the
    ///   coded colours, and whether alpha is premultiplied.
    /// - 4: a checksum for each album and folder.
    /// - 5: more kinds of resources, and the names and types of resources.
    /// - 6: the marks and digests of files, by which imports find renamed files.
    /// - 7: in the metadata of images, the facts on which the memory of a decode depends: whether a PNG is interlaced,
    ///   whether a WebP is lossless, the rows of a TIFF's strips or tiles, and the uncropped size of a HEIF picture.
    /// - 8: the dates up to which imports ignore renderings, at the end of each chunk.
    /// - 9: in the metadata of videos, the number of entries of an index.
    static let currentVersion: UInt32 = 9
    static let size = 72

    private static let magic = Array("thumbwheel.library\n".utf8) + [0x1A]
    /// A number whose bytes would be read as another number on a processor with the other byte order.
    private static let byteOrderMark: UInt32 = 0x0102_0304
    /// The size of a table entry in bytes. An entry consists of the length and the checksum of a block.
    static let tableEntrySize = 16
    /// The number of blocks other than chunks: one for albums and folders, one for the history.
    static let fixedBlockCount = 2

    var bytes: [UInt8] {
        var writer = BlockWriter()
        for byte in Self.magic { writer.write(byte) }
        writer.write(version)
        withUnsafeBytes(of: Self.byteOrderMark) { for byte in $0 { writer.write(byte) } }
        writer.write(snapshotNumber)
        writer.write(count: chunkCount)
        writer.write(count: tableOffset)
        writer.write(count: byteCount)
        writer.write(tableDigest)
        // The checksum of the header has only 32 bits, so that the length of the header is a multiple of eight bytes.
        writer.write(UInt32(truncatingIfNeeded: XXHash64.digest(writer.bytes)))
        return writer.bytes
    }

    init(snapshotNumber: UInt64, chunkCount: Int, tableOffset: Int, byteCount: Int, tableDigest: UInt64) {
        self.snapshotNumber = snapshotNumber
        self.chunkCount = chunkCount
        self.tableOffset = tableOffset
        self.byteCount = byteCount
        self.tableDigest = tableDigest
    }

    /// Reads and checks the header of a library's file.
    ///
    /// - Parameters:
    ///   - bytes: the first `size` bytes of the file, or the whole file if it is shorter.
    ///   - fileByteCount: the length of the file in bytes.
    init(reading bytes: [UInt8], fileByteCount: Int) throws(LibraryFileError) {
        guard bytes.starts(with: Self.magic) else { throw .notALibrary }
        guard bytes.count == Self.size else {
            throw .truncated(byteCount: fileByteCount, expectedByteCount: Self.size)
        }
        var reader = BlockReader(Array(bytes.dropFirst(Self.magic.count)))
        version = try reader.read(UInt32.self)
        let mark = try reader.read(UInt32.self)
        snapshotNumber = try reader.read()
        let counts = (try reader.readInt(), try reader.readInt(), try reader.readInt())
        (chunkCount, tableOffset, byteCount) = counts
        tableDigest = try reader.read()
        let digest = try reader.read(UInt32.self)
        guard digest == UInt32(truncatingIfNeeded: XXHash64.digest(bytes.dropLast(4))) else {
            throw .damaged(byteRange: 0..<Self.size)
        }
        // The version is checked before the fields after it, because these may have another meaning in a later version.
        guard version <= Self.currentVersion else { throw .newerVersion(Int(version)) }
        try BlockReader.require(mark == Self.byteOrderMark.littleEndian, "columns of the other byte order")
        guard fileByteCount >= max(byteCount, Self.size) else {
            throw .truncated(byteCount: fileByteCount, expectedByteCount: byteCount)
        }
        try requireConsistency(fileByteCount)
    }

    private func requireConsistency(_ fileByteCount: Int) throws(LibraryFileError) {
        try BlockReader.require(fileByteCount == byteCount, "\(fileByteCount) bytes where there should be \(byteCount)")
        try BlockReader.require(Self.size...byteCount ~= tableOffset, "no table of blocks")
        let tableByteCount = byteCount - tableOffset
        try BlockReader.require(
            chunkCount >= 0 && tableByteCount % Self.tableEntrySize == 0
                && tableByteCount / Self.tableEntrySize - LibraryFileHeader.fixedBlockCount == chunkCount,
            "a table of another number of blocks")
        try BlockReader.require(snapshotNumber < ChangeHistory.numberLimit, "more transactions than could be")
    }
}
