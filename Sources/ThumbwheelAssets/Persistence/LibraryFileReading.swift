import ThumbwheelCore
import ThumbwheelLocks

/// Reads a file that `LibraryFileWriting` has written. Several blocks are read at the same time. The checksum of a
/// block is checked before its contents are read.
struct LibraryFileReading: Sendable {
    private let source: any ByteSource
    private let header: LibraryFileHeader
    /// The position and the checksum of each block.
    private let blocks: [(range: Range<Int>, digest: UInt64)]
    private let token: CancellationToken

    // The number of chunks that a thread takes at a time. It is small, so that all threads end at about the same time.
    private static let partSize = 32

    init(_ source: any ByteSource, token: CancellationToken = CancellationToken()) throws(LibraryFileError) {
        self.source = source
        self.token = token
        header = try LibraryFileHeader(
            reading: Self.bytes(0..<LibraryFileHeader.size, of: source), fileByteCount: source.byteCount)
        let table = try Self.bytes(header.tableOffset..<header.byteCount, of: source)
        guard XXHash64.digest(table) == header.tableDigest else {
            throw .damaged(byteRange: header.tableOffset..<header.byteCount)
        }
        var reader = BlockReader(table)
        var blocks: [(range: Range<Int>, digest: UInt64)] = []
        var offset = LibraryFileHeader.size
        for _ in 0..<header.chunkCount + LibraryFileHeader.fixedBlockCount {
            let count = try reader.readInt()
            try BlockReader.require(0...header.tableOffset - offset ~= count, "a block that does not end")
            blocks.append((offset..<offset + count, try reader.read()))
            offset += count
        }
        try BlockReader.require(offset == header.tableOffset, "bytes between the blocks and their table")
        self.blocks = blocks
    }

    private static func bytes(_ range: Range<Int>, of source: any ByteSource) throws(LibraryFileError) -> [UInt8] {
        do throws(ByteSourceError) {
            return try source.bytes(in: range)
        } catch {
            throw LibraryFileError(error)
        }
    }

    private func block(_ index: Int) throws(LibraryFileError) -> BlockReader {
        guard !token.isCancelled else { throw .cancelled }
        let (range, digest) = blocks[index]
        let bytes = try Self.bytes(range, of: source)
        guard bytes.count == range.count else {
            throw .truncated(byteCount: range.lowerBound + bytes.count, expectedByteCount: header.byteCount)
        }
        guard XXHash64.digest(bytes) == digest else { throw .damaged(byteRange: range) }
        return BlockReader(bytes, version: header.version)
    }

    private var chunkCount: Int { header.chunkCount }

    /// Reads the contents of the library. If the history exceeds `historyByteLimit` bytes, its oldest entries are
    /// removed. The calling thread waits until the whole file has been read.
    func state(
        _ resolve: @escaping ProviderResolver, historyByteLimit: Int = .max
    ) throws(LibraryFileError) -> LibraryCore.State {
        let chunks = try allChunks(resolve)
        let rowCount = try Self.rowCount(chunkCount: chunks.count, lastCount: chunks.last?.columns.count ?? 0)
        let (collections, history) = try collectionsAndHistory(rowCount, historyByteLimit)
        chunks.namePictures(ofFileVersion: header.version, formerTimeline: history.currentTimeline)
        let snapshot = Snapshot(
            number: header.snapshotNumber, chunks: chunks, rowCount: rowCount, index: IdentifierIndex(of: chunks),
            collections: collections)
        return LibraryCore.State(snapshot: snapshot, history: history)
    }

    private func allChunks(_ resolve: @escaping ProviderResolver) throws(LibraryFileError) -> ChunkList {
        var chunks = ChunkList()
        for part in try parts({ index throws(LibraryFileError) in try chunk(index, resolve) }) {
            for chunk in part { chunks.append(chunk) }
        }
        return chunks
    }

    private func chunk(_ index: Int, _ resolve: ProviderResolver) throws(LibraryFileError) -> Chunk {
        var block = try block(index)
        let columns = try ChunkColumns(from: &block, isLast: index == header.chunkCount - 1, resolve)
        try block.requireEnd()
        let isOfThePast = columns.settled.changeNumber.prefix(columns.count).allSatisfy { $0 <= header.snapshotNumber }
        try BlockReader.require(isOfThePast, "a row of a later transaction")
        return Chunk(columns)
    }

    /// Applies `body` to all chunks, to several at the same time. Once it has failed for a chunk, no further chunks are
    /// begun.
    private func parts<Value: Sendable>(
        _ body: @Sendable (Int) throws(LibraryFileError) -> Value
    ) throws(LibraryFileError) -> [[Value]] {
        let hasFailed = Mutex(false)
        let parts = ConcurrentParts.map(0..<header.chunkCount, partSize: Self.partSize) { part in
            Result { () throws(LibraryFileError) -> [Value] in
                var values: [Value] = []
                for index in part {
                    guard !hasFailed.withLock({ $0 }) else { break }
                    do throws(LibraryFileError) {
                        values.append(try body(index))
                    } catch {
                        hasFailed.withLock { $0 = true }
                        throw error
                    }
                }
                return values
            }
        }
        var values: [[Value]] = []
        for part in parts { values.append(try part.get()) }
        return values
    }

    /// Returns one more than the highest row number in the file. Throws if there are so many chunks that row numbers
    /// would not fit into 32 bits.
    ///
    /// - Parameter lastCount: the number of rows in the last chunk.
    private static func rowCount(chunkCount: Int, lastCount: Int) throws(LibraryFileError) -> Int {
        try BlockReader.require(chunkCount <= 1 << (32 - Int(Chunk.rowShift)), "more rows than have numbers")
        return chunkCount == 0 ? 0 : Int(Chunk.row(chunkCount - 1, 0)) + lastCount
    }
}

extension LibraryFileReading {
    /// Reads and checks the whole file in the same way as `state`, but keeps nothing in memory. If it does not throw,
    /// the file can be loaded.
    func verify() throws(LibraryFileError) {
        let counts = try parts { index throws(LibraryFileError) in
            try chunk(index) { _ in nil }.columns.count
        }
        let rowCount = try Self.rowCount(chunkCount: chunkCount, lastCount: counts.last?.last ?? 0)
        _ = try collectionsAndHistory(rowCount, 0)
    }

    /// Throws if a block does not match its checksum.
    func verifyDigests() throws(LibraryFileError) {
        _ = try parts { index throws(LibraryFileError) in try block(index).remainingCount }
        for index in chunkCount..<chunkCount + LibraryFileHeader.fixedBlockCount { _ = try block(index) }
    }

    private func collectionsAndHistory(
        _ rowCount: Int, _ historyByteLimit: Int
    ) throws(LibraryFileError) -> (CollectionTable, ChangeHistory) {
        var collectionBlock = try block(header.chunkCount)
        let collections = try CollectionTable(from: &collectionBlock, rowCount: rowCount)
        try collectionBlock.requireEnd()
        var historyBlock = try block(header.chunkCount + 1)
        let history = try ChangeHistory(from: &historyBlock, number: header.snapshotNumber, byteLimit: historyByteLimit)
        try historyBlock.requireEnd()
        return (collections, history)
    }
}
