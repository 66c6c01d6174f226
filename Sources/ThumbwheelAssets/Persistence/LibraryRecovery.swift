import ThumbwheelCore
import ThumbwheelFormats

/// Makes a library, which can be saved and loaded, of the sound parts of a damaged file.
struct LibraryRecovery {
    private(set) var state: LibraryCore.State
    private(set) var report = RecoveryReport()

    /// The parts of a file, as they were read.
    private struct Parts {
        /// The chunks; nil for a lost one.
        var chunks: [ChunkColumns?] = []
        var collections: [CollectionRecord] = []
        var root: CollectionRecord?
        var history: ChangeHistory?
    }

    init(
        _ source: any ByteSource, token: CancellationToken = CancellationToken(), _ resolve: ProviderResolver
    ) throws(LibraryFileError) {
        let bytes: [UInt8]
        do throws(ByteSourceError) {
            bytes = try source.bytes(in: 0..<source.byteCount)
        } catch {
            throw LibraryFileError(error)
        }
        let layout = try LibraryFileLayout(bytes)
        report.losses = layout.losses
        let parts =
            if let blocks = layout.blocks {
                try Self.parts(bytes, blocks, layout, token, resolve, &report)
            } else {
                try Self.parts(inRowOf: bytes, layout, token, resolve, &report)
            }
        state = Self.state(parts, version: layout.version, number: layout.snapshotNumber, &report)
    }
}

// MARK: The parts

extension LibraryRecovery {
    /// Reads each block by itself, so that a damaged block costs no other one.
    private static func parts(
        _ bytes: [UInt8], _ blocks: [LibraryFileLayout.Block], _ layout: LibraryFileLayout, _ token: CancellationToken,
        _ resolve: ProviderResolver, _ report: inout RecoveryReport
    ) throws(LibraryFileError) -> Parts {
        var parts = Parts()
        let chunkCount = blocks.count - LibraryFileHeader.fixedBlockCount
        for (index, block) in blocks.enumerated() {
            guard !token.isCancelled else { throw .cancelled }
            let content: RecoveryReport.Loss.Content =
                index < chunkCount ? .assets(count: Chunk.rowCount) : index == chunkCount ? .collections : .history
            do throws(LibraryFileError) {
                guard XXHash64.digest(bytes[block.range]) == block.digest else {
                    throw .damaged(byteRange: block.range)
                }
                var reader = BlockReader(Array(bytes[block.range]), version: layout.version)
                switch content {
                case .assets:
                    let columns = try ChunkColumns(from: &reader, resolve)
                    try reader.requireEnd()
                    parts.chunks.append(columns)
                case .collections: try readCollections(&reader, into: &parts)
                case .history, .contents:
                    parts.history = try layout.snapshotNumber.map { number throws(LibraryFileError) in
                        try ChangeHistory(from: &reader, number: number)
                    }
                }
            } catch {
                if index < chunkCount { parts.chunks.append(nil) }
                report.losses.append(RecoveryReport.Loss(content: content, byteRange: block.range, error: error))
            }
        }
        return parts
    }

    /// Reads the parts one after another, each from the end of the one before, up to the first that cannot be read.
    private static func parts(
        inRowOf bytes: [UInt8], _ layout: LibraryFileLayout, _ token: CancellationToken, _ resolve: ProviderResolver,
        _ report: inout RecoveryReport
    ) throws(LibraryFileError) -> Parts {
        var parts = Parts()
        var reader = BlockReader(Array(bytes.dropFirst(LibraryFileHeader.size)), version: layout.version)
        while !token.isCancelled {
            var next = reader
            guard let columns = try? ChunkColumns(from: &next, resolve) else { break }
            parts.chunks.append(columns)
            reader = next
        }
        guard !token.isCancelled else { throw .cancelled }
        var rest = reader
        do throws(LibraryFileError) {
            try readCollections(&rest, into: &parts)
        } catch {
            parts.collections = []
            // More assets may have followed; their number is unknown.
            let range = Self.rest(of: bytes, behind: reader)
            report.losses.append(RecoveryReport.Loss(content: .assets(count: .max), byteRange: range, error: error))
            report.losses.append(RecoveryReport.Loss(content: .collections, byteRange: range, error: error))
        }
        report.isVerified = false
        let range = Self.rest(of: bytes, behind: rest)
        report.losses.append(
            RecoveryReport.Loss(content: .history, byteRange: range, error: .damaged(byteRange: range)))
        return parts
    }

    /// The bytes that a reader of all that follows the header has not read. A file shorter than a header has none.
    private static func rest(of bytes: [UInt8], behind reader: BlockReader) -> Range<Int> {
        min(LibraryFileHeader.size + reader.position, bytes.count)..<bytes.count
    }

    private static func readCollections(
        _ reader: inout BlockReader, into parts: inout Parts
    ) throws(LibraryFileError) {
        _ = try reader.read(UInt64.self)
        parts.root = try reader.readCollectionRecord()
        parts.collections = try reader.readEach(ofAtLeast: 85) { reader throws(LibraryFileError) in
            try reader.readCollectionRecord()
        }
    }
}

// MARK: The library

extension LibraryRecovery {
    private static func state(
        _ parts: Parts, version: UInt32, number: UInt64?, _ report: inout RecoveryReport
    ) -> LibraryCore.State {
        let chunks = ChunkList(chunks(parts.chunks).map(Chunk.init))
        let rowCount = chunks.last.map { Int(Chunk.row(chunks.count - 1, 0)) + $0.columns.count } ?? 0
        let collections = CollectionTable(
            recovering: parts.collections, root: parts.root, rowCount: rowCount,
            isAlive: { chunks[Chunk.index(of: $0)].columns[.alive, Chunk.slot(of: $0)] },
            repaired: &report.repairedCollections)
        let newest = max(
            chunks.flatMap { $0.columns.settled.changeNumber.prefix($0.columns.count) }.max() ?? 0,
            collections.records.map(\.changeNumber).max() ?? 0)
        // Content versions rise with this number. If it is lost, the library continues with one beyond the numbers of
        // its transactions.
        let number =
            number.map { max($0, min(newest, ChangeHistory.endOfTime - 1)) }
            ?? min(newest, ChangeHistory.endOfTime / 2) + 1 << 20
        let snapshot = Snapshot(
            number: number, chunks: chunks, rowCount: rowCount, index: IdentifierIndex(of: chunks),
            collections: collections)
        let history = parts.history ?? ChangeHistory()
        chunks.namePictures(ofFileVersion: version, formerTimeline: history.currentTimeline)
        return LibraryCore.State(snapshot: snapshot, history: history)
    }

    /// Puts each chunk at its old index, so that rows keep their numbers. A lost chunk becomes one of dead rows.
    private static func chunks(_ found: [ChunkColumns?]) -> [ChunkColumns] {
        var known: Set<AssetIdentifier> = []
        return found.prefix(1 << (32 - Int(Chunk.rowShift))).enumerated().map { index, columns in
            guard let columns else { return ChunkColumns.dead() }
            if index + 1 < found.count { columns.count = Chunk.rowCount }
            // A sound library has no identifier twice. Here the first asset keeps its identifier, and further ones
            // become dead rows.
            columns.mask(.alive).forEachSlot { slot in
                if known.insert(columns.identifier(at: slot)).inserted { return }
                for flag in RowFlag.allCases.prefix(RowFlag.scopeCount) { columns[flag, slot] = false }
                columns.dropDetails(at: slot)
            }
            return columns
        }
    }
}

extension ChunkColumns {
    /// A full chunk of dead rows.
    fileprivate static func dead() -> ChunkColumns {
        let columns = ChunkColumns()
        columns.count = Chunk.rowCount
        // Every row needs a head, even a dead one.
        columns.ownSettledColumns().prototypes = [
            ImageHead(contentType: ContentType(rawValue: ""), storedSize: .zero)
        ]
        return columns
    }
}
