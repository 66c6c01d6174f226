import ThumbwheelCore

/// The positions of the parts of a library's file. The file may be damaged, and some positions may be unknown.
struct LibraryFileLayout {
    struct Block {
        let range: Range<Int>
        let digest: UInt64
    }

    /// The format version of the file: the version in the header. If the header is damaged and its version is
    /// impossible, this is the version that this software writes.
    let version: UInt32
    /// The number of the snapshot that the header states; nil if the header is damaged.
    let snapshotNumber: UInt64?
    /// The blocks of the file in their order: those of the chunks (groups of assets), that of albums and folders, and
    /// that of the history. Nil if the table of blocks is lost.
    let blocks: [Block]?
    /// The damage in the header and in the table of blocks.
    let losses: [RecoveryReport.Loss]

    init(_ bytes: [UInt8]) throws(LibraryFileError) {
        let size = LibraryFileHeader.size
        var losses: [RecoveryReport.Loss] = []
        do throws(LibraryFileError) {
            let header = try LibraryFileHeader(reading: Array(bytes.prefix(size)), fileByteCount: bytes.count)
            version = header.version
            snapshotNumber = header.snapshotNumber
            let table = header.tableOffset..<header.byteCount
            if XXHash64.digest(bytes[table]) == header.tableDigest {
                blocks = Self.blocks(bytes, tableOffset: header.tableOffset)
            } else {
                // A damaged table of blocks is reported as a loss, but its entries are used nevertheless. If an entry
                // states a wrong length or checksum, the block of this entry is rejected when it is read.
                losses.append(
                    RecoveryReport.Loss(content: .contents, byteRange: table, error: .damaged(byteRange: table)))
                blocks = Self.blocks(bytes, tableOffset: header.tableOffset)
            }
        } catch {
            switch error {
            case .notALibrary, .newerVersion: throw error
            default: break
            }
            losses.append(
                RecoveryReport.Loss(content: .contents, byteRange: 0..<min(size, bytes.count), error: error))
            let head = Self.headFields(bytes)
            version =
                head.flatMap { 1...LibraryFileHeader.currentVersion ~= $0.version ? $0.version : nil }
                ?? LibraryFileHeader.currentVersion
            // The header was rejected for one of two reasons: it is damaged, or the file is shorter than the header
            // states. In the second case, the header's own checksum is right, and its snapshot number can still be
            // used.
            snapshotNumber = head?.isSound == true ? head?.snapshotNumber : nil
            blocks = Self.tableOffset(lookingFromTheEndOf: bytes).flatMap { Self.blocks(bytes, tableOffset: $0) }
        }
        self.losses = losses
    }

    /// Returns the first fields of the header, even if the header is damaged; nil if the file is shorter than a header.
    /// `isSound` states whether the header is undamaged.
    private static func headFields(
        _ bytes: [UInt8]
    ) -> (version: UInt32, snapshotNumber: UInt64, isSound: Bool)? {
        guard bytes.count >= LibraryFileHeader.size else { return nil }
        var reader = BlockReader(Array(bytes[20..<LibraryFileHeader.size]))
        guard let version = try? reader.read(UInt32.self), (try? reader.read(UInt32.self)) != nil,
            let number = try? reader.read(UInt64.self)
        else { return nil }
        let digest = UInt32(truncatingIfNeeded: XXHash64.digest(bytes[..<(LibraryFileHeader.size - 4)]))
        let isSound = withUnsafeBytes(of: digest.littleEndian) {
            bytes[(LibraryFileHeader.size - 4)..<LibraryFileHeader.size].elementsEqual($0)
        }
        return (version, number, isSound && number < ChangeHistory.numberLimit)
    }

    /// Reads the table of blocks, which begins at `tableOffset` and ends with the file. Returns nil if blocks are
    /// missing, or if the lengths of all blocks do not add up to the number of bytes between the header and the table.
    private static func blocks(_ bytes: [UInt8], tableOffset: Int) -> [Block]? {
        var reader = BlockReader(Array(bytes[tableOffset...]))
        var blocks: [Block] = []
        var offset = LibraryFileHeader.size
        while reader.remainingCount >= LibraryFileHeader.tableEntrySize {
            guard let count = try? reader.readInt(), let digest = try? reader.read(UInt64.self),
                0...tableOffset - offset ~= count
            else { return nil }
            blocks.append(Block(range: offset..<offset + count, digest: digest))
            offset += count
        }
        guard offset == tableOffset, blocks.count >= LibraryFileHeader.fixedBlockCount else { return nil }
        return blocks
    }

    /// Finds the start of the table of blocks in a file whose header is damaged; nil if it is not found.
    ///
    /// The file consists of the header, the blocks, and the table. Each entry of the table states the length of one
    /// block. The search reads entries backwards from the end of the file, and adds up the lengths of their blocks. An
    /// entry is the first of the table if the header and these blocks fill exactly the bytes before it.
    private static func tableOffset(lookingFromTheEndOf bytes: [UInt8]) -> Int? {
        let entrySize = LibraryFileHeader.tableEntrySize
        var offset = bytes.count
        var blockByteCount = 0
        while offset - entrySize >= LibraryFileHeader.size {
            offset -= entrySize
            var reader = BlockReader(Array(bytes[offset..<offset + entrySize]))
            guard let count = try? reader.readInt(), 0...bytes.count - blockByteCount ~= count else { return nil }
            blockByteCount += count
            if LibraryFileHeader.size + blockByteCount == offset { return offset }
        }
        return nil
    }
}
