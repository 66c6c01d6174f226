import ThumbwheelCore

/// Reads what `LibraryFileWriting` wrote: several blocks at a time, each checked before it is taken apart.
struct LibraryFileReading: Sendable {
    private let source: any ByteSource
    private let header: LibraryFileHeader
    /// Where each block is, and its checksum.
    private let blocks: [(range: Range<Int>, digest: UInt64)]
    private let token: CancellationToken

    // Chunks that one thread takes at a time: few enough that all end together.
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

    /// All that the library held. Blocks until it is read.
    func state(_ resolve: @escaping ProviderResolver) throws(LibraryFileError) -> LibraryCore.State {
        let chunks = try allChunks(resolve)
        let rowCount = try Self.rowCount(of: chunks)
        var collectionBlock = try block(header.chunkCount)
        let collections = try CollectionTable(from: &collectionBlock, rowCount: rowCount)
        var historyBlock = try block(header.chunkCount + 1)
        let history = try ChangeHistory(from: &historyBlock, number: header.snapshotNumber)
        let snapshot = Snapshot(
            number: header.snapshotNumber, chunks: chunks, rowCount: rowCount, index: IdentifierIndex(of: chunks),
            collections: collections)
        return LibraryCore.State(snapshot: snapshot, history: history)
    }

    private func allChunks(_ resolve: @escaping ProviderResolver) throws(LibraryFileError) -> ChunkList {
        let parts = ConcurrentParts.map(0..<header.chunkCount, partSize: Self.partSize) { part in
            Result { () throws(LibraryFileError) in try readChunks(part, resolve) }
        }
        var chunks = ChunkList()
        for part in parts { for chunk in try part.get() { chunks.append(chunk) } }
        return chunks
    }

    private func readChunks(_ indexes: Range<Int>, _ resolve: ProviderResolver) throws(LibraryFileError) -> [Chunk] {
        var chunks: [Chunk] = []
        for index in indexes {
            var block = try block(index)
            chunks.append(Chunk(try ChunkColumns(from: &block, resolve)))
        }
        return chunks
    }

    /// All chunks but the last are full: rows are numbered so.
    private static func rowCount(of chunks: ChunkList) throws(LibraryFileError) -> Int {
        guard let last = chunks.last else { return 0 }
        let isFull = chunks.dropLast().allSatisfy { $0.columns.count == Chunk.rowCount }
        try BlockReader.require(isFull && last.columns.count > 0, "a chunk that is not full before others")
        try BlockReader.require(chunks.count <= 1 << (32 - Int(Chunk.rowShift)), "more rows than have numbers")
        return Int(Chunk.row(chunks.count - 1, 0)) + last.columns.count
    }
}
