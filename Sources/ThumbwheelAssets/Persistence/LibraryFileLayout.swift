/// The layout of a library's file that may be damaged: the places of its parts. In a damaged file, some places may not
/// be found.
struct LibraryFileLayout {
    struct Block {
        let range: Range<Int>
        let digest: UInt64
    }

    /// The format version that the header names. If the header names no known version, this is the newest version.
    let version: UInt32
    /// The snapshot's number from the header; nil if the header is damaged.
    let snapshotNumber: UInt64?
    /// The blocks of the chunks, followed by the blocks of collections and history; nil if the table is lost.
    let blocks: [Block]?
    /// The damage found in header and table.
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
                // A damaged table is still used. A block for which it has a wrong length or checksum is rejected later.
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
            // The header of a file that was cut short is refused above for the file's length, but may be intact. So its
            // own checksum decides whether its snapshot number counts.
            snapshotNumber = head?.isSound == true ? head?.snapshotNumber : nil
            blocks = Self.tableOffset(lookingFromTheEndOf: bytes).flatMap { Self.blocks(bytes, tableOffset: $0) }
        }
        self.losses = losses
    }

    /// The first fields of the header, even if they are damaged; `isSound` tells whether the header is intact. Nil if
    /// the file is shorter than a header.
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
        return (version, number, isSound && number < ChangeHistory.endOfTime)
    }

    /// The blocks that a table from `tableOffset` to the end of the file describes; nil if the sum of their lengths
    /// differs from the number of bytes between header and table.
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

    /// Finds the table without the header, by reading its entries backwards from the end of the file. The table is
    /// complete when the header and all blocks, whose lengths are in the entries, end exactly where it begins. Nil if
    /// that never happens.
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
