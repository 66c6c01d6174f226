import ThumbwheelCore
import ThumbwheelFormats

/// Makes a library from the undamaged parts of a damaged file. The result is a valid library: it can be saved, and
/// loaded again.
struct LibraryRecovery {
    private(set) var state: LibraryCore.State
    private(set) var report = RecoveryReport()

    /// The parts of a file that could be read.
    private struct Parts {
        /// The chunks in order; nil for each chunk that is lost.
        var chunks: [ChunkColumns?] = []
        var collections: [CollectionRecord] = []
        var root: CollectionRecord?
        var history: ChangeHistory?

        mutating func take(_ found: CollectionRecovery) {
            root = found.root
            collections = found.records
        }
    }

    init(
        _ source: any ByteSource, historyByteLimit: Int = .max, token: CancellationToken = CancellationToken(),
        _ resolve: ProviderResolver
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
                try Self.parts(bytes, blocks, layout, historyByteLimit, token, resolve, &report)
            } else {
                try Self.parts(inRowOf: bytes, layout, token, resolve, &report)
            }
        state = Self.state(parts, version: layout.version, number: layout.snapshotNumber, &report)
    }
}

// MARK: Reading the parts of the file

extension LibraryRecovery {
    /// Reads each block separately, so that a damaged block does not affect the others.
    private static func parts(
        _ bytes: [UInt8], _ blocks: [LibraryFileLayout.Block], _ layout: LibraryFileLayout, _ historyByteLimit: Int,
        _ token: CancellationToken, _ resolve: ProviderResolver, _ report: inout RecoveryReport
    ) throws(LibraryFileError) -> Parts {
        var parts = Parts()
        let chunkCount = blocks.count - LibraryFileHeader.fixedBlockCount
        for (index, block) in blocks.enumerated() {
            guard !token.isCancelled else { throw .cancelled }
            let content: RecoveryReport.Loss.Content =
                index < chunkCount ? .assets(count: Chunk.rowCount) : index == chunkCount ? .collections : .history
            do throws(LibraryFileError) {
                let isSound = XXHash64.digest(bytes[block.range]) == block.digest
                // A damaged block is not read, with one exception. From format version 4 on, each album and folder has
                // a checksum of its own. So the undamaged albums and folders in a damaged block can be read.
                guard isSound || content == .collections && layout.version >= 4 else {
                    throw .damaged(byteRange: block.range)
                }
                var reader = BlockReader(Array(bytes[block.range]), version: layout.version)
                switch content {
                case .assets:
                    let columns = try ChunkColumns(from: &reader, resolve)
                    try reader.requireEnd()
                    parts.chunks.append(columns)
                case .collections:
                    let found = try CollectionRecovery(bytes, block.range, version: layout.version)
                    parts.take(found)
                    report.losses += found.losses
                case .history, .contents:
                    // The entries of the history have no numbers in the file. They are numbered backwards from the
                    // number of the snapshot, which is unknown if the header is damaged.
                    guard let number = layout.snapshotNumber else { throw .damaged(byteRange: block.range) }
                    parts.history = try ChangeHistory(from: &reader, number: number, byteLimit: historyByteLimit)
                }
            } catch {
                if index < chunkCount { parts.chunks.append(nil) }
                report.losses.append(RecoveryReport.Loss(content: content, byteRange: block.range, error: error))
            }
        }
        return parts
    }

    /// Reads the parts of a file whose table of blocks is lost. Each part begins where the part before it ends. Reading
    /// ends at the first part that cannot be read.
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
        var rest = Self.rest(of: bytes, behind: reader)
        do throws(LibraryFileError) {
            let found = try CollectionRecovery(bytes, rest, version: layout.version)
            parts.take(found)
            report.losses += found.losses
            rest = rest.lowerBound + found.byteCount..<rest.upperBound
        } catch {
            // The unreadable rest may contain assets as well as the albums and folders, so both are reported as lost.
            // `.max` means that the number of assets is unknown.
            report.losses.append(RecoveryReport.Loss(content: .assets(count: .max), byteRange: rest, error: error))
            report.losses.append(RecoveryReport.Loss(content: .collections, byteRange: rest, error: error))
        }
        report.isVerified = false
        report.losses.append(
            RecoveryReport.Loss(content: .history, byteRange: rest, error: .damaged(byteRange: rest)))
        return parts
    }

    /// Returns the range of the file's bytes that `reader` has not read yet. `reader` reads the part of the file after
    /// the header. The range is empty if the file is shorter than a header.
    private static func rest(of bytes: [UInt8], behind reader: BlockReader) -> Range<Int> {
        min(LibraryFileHeader.size + reader.position, bytes.count)..<bytes.count
    }
}

// MARK: Making the library from its parts

extension LibraryRecovery {
    private static func state(
        _ parts: Parts, version: UInt32, number: UInt64?, _ report: inout RecoveryReport
    ) -> LibraryCore.State {
        let chunks = ChunkList(chunks(parts.chunks).map(Chunk.init))
        let rowCount = chunks.last.map { Int(Chunk.row(chunks.count - 1, 0)) + $0.columns.count } ?? 0
        let newest = max(
            chunks.flatMap { $0.columns.settled.changeNumber.prefix($0.columns.count) }.max() ?? 0,
            parts.collections.map(\.changeNumber).max() ?? 0, parts.root?.changeNumber ?? 0)
        // The recovered snapshot must not get a smaller number than the saved one had, because new content versions are
        // made from this number and must be larger than old ones.
        //
        // If the saved number is lost, it is estimated from the greatest change number in the file (the number of the
        // transaction that last changed an object). The saved number may have been greater than that, so 2²⁰ is added.
        //
        // A forged file may contain huge change numbers, so they are limited to half of `numberLimit`. Enough numbers
        // are then left for new transactions.
        let known = min(newest, ChangeHistory.numberLimit / 2)
        let snapshotNumber = number.map { max($0, known) } ?? known + 1 << 20
        for chunk in chunks { chunk.columns.limitChangeNumbers(to: snapshotNumber) }
        let collections = CollectionTable(
            recovering: parts.collections, root: parts.root, rowCount: rowCount, number: snapshotNumber,
            isAlive: { chunks[Chunk.index(of: $0)].columns[.alive, Chunk.slot(of: $0)] },
            repaired: &report.repairedCollections)
        let snapshot = Snapshot(
            number: snapshotNumber, chunks: chunks, rowCount: rowCount, index: IdentifierIndex(of: chunks),
            collections: collections)
        // Keeps the history only if the snapshot still has the number that the file states. An entry of the history
        // contains no number: its number is counted back from the snapshot's number. If the snapshot has got another
        // number, all entries would get wrong numbers.
        let history = (snapshotNumber == number ? parts.history : nil) ?? ChangeHistory()
        chunks.namePictures(ofFileVersion: version, formerTimeline: history.currentTimeline)
        return LibraryCore.State(snapshot: snapshot, history: history)
    }

    /// Places each chunk at its old index, so that rows keep their numbers. A lost chunk is replaced by a chunk of dead
    /// rows (rows without an asset).
    private static func chunks(_ found: [ChunkColumns?]) -> [ChunkColumns] {
        var known: Set<AssetIdentifier> = []
        return found.prefix(1 << (32 - Int(Chunk.rowShift))).enumerated().map { index, columns in
            guard let columns else { return ChunkColumns.dead() }
            if index + 1 < found.count { columns.count = Chunk.rowCount }
            // In an undamaged library, no two assets have the same identifier. In a recovered library, the first asset
            // with an identifier keeps it. The rows of other assets with that identifier become dead rows.
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
    /// Replaces each change number above `limit` by `limit`. The caller passes the number of the snapshot, and no
    /// change can be newer than the snapshot.
    fileprivate func limitChangeNumbers(to limit: UInt64) {
        guard settled.changeNumber.prefix(count).contains(where: { $0 > limit }) else { return }
        let settled = ownSettledColumns()
        for slot in 0..<count { settled.changeNumber[slot] = min(settled.changeNumber[slot], limit) }
    }

    /// Returns a full chunk of dead rows (rows without an asset).
    fileprivate static func dead() -> ChunkColumns {
        let columns = ChunkColumns()
        columns.count = Chunk.rowCount
        // Every row, even a dead one, has an index into `prototypes`. In new columns this index is 0, so there must be
        // at least one prototype (metadata that several rows have in common).
        columns.ownSettledColumns().prototypes = [
            ImageHead(contentType: ContentType(rawValue: ""), storedSize: .zero)
        ]
        return columns
    }
}
