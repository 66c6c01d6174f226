import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Recovery of a damaged library's sound parts, with a report of the others")
struct RecoveryTests {
    private func recover(
        _ bytes: [UInt8], now: @escaping @Sendable () -> Date = Date.init
    ) throws -> (library: PhotoLibrary, report: RecoveryReport) {
        let recovery = try LibraryRecovery(MemoryByteSource(bytes)) { NamedProvider(identifier: $0) }
        return (PhotoLibrary(recovery.state, PhotoLibrary.Configuration(), now), recovery.report)
    }

    /// A library of three chunks, with an album in a folder.
    private func library() throws -> PhotoLibrary {
        let library = PhotoLibrary()
        library.add((0..<1200).map { SampleAssets.asset($0) })
        try library.performChangesAndWait { changes in
            let folder = try changes.createFolder(title: "folder")
            let album = try changes.createAlbum(title: "album", in: folder)
            try changes.addAssets([1, 600, 1100].map(SampleAssets.identifier), to: album)
        }
        return library
    }

    private func requireSound(_ library: PhotoLibrary) throws {
        #expect(library.snapshot.brokenInvariants.isEmpty)
        let again = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
        #expect(again.walkThrough() == library.walkThrough())
        // The recovered library still accepts changes.
        #expect(library.add([SampleAssets.asset(1_000_000)]) == 1)
        #expect(library.asset(withIdentifier: SampleAssets.identifier(1_000_000)) != nil)
    }

    @Test("an undamaged file comes back whole", arguments: [1, 2] as [UInt64])
    func whole(seed: UInt64) throws {
        let random = try RandomLibrary(seed: seed, transactionCount: 40)
        let library = random.library
        let (recovered, report) = try recover(library.savedBytes, now: { random.clock.now })
        #expect(report.isComplete && report == RecoveryReport(), "seed \(seed)")
        #expect(recovered.walkThrough() == library.walkThrough(), "seed \(seed)")
    }

    @Test("a damaged block costs no other block", arguments: [0, 1, 2, 4])
    func damagedBlock(block: Int) throws {
        let library = try library()
        var bytes = try library.savedBytes
        let range = try SavedBlocks(bytes).ranges[block]
        bytes[range.lowerBound + range.count / 2] ^= 4
        #expect(throws: LibraryFileError.damaged(byteRange: range)) { try PhotoLibrary.state(loading: bytes) }
        let (recovered, report) = try recover(bytes)
        let content: RecoveryReport.Loss.Content =
            block < 3 ? .assets(count: Chunk.rowCount) : .history
        #expect(
            report.losses
                == [RecoveryReport.Loss(content: content, byteRange: range, error: .damaged(byteRange: range))])
        #expect(report.isVerified && !report.isComplete)
        let lost = block < 3 ? (block * Chunk.rowCount..<min(1200, (block + 1) * Chunk.rowCount)) : 0..<0
        #expect(recovered.fetchAssets().numbers == (0..<1200).filter { !lost.contains($0) })
        let album = try #require(recovered.fetchAssetCollections(with: .album).first)
        #expect(recovered.fetchAssets(in: album).numbers == [1, 600, 1100].filter { !lost.contains($0) })
        #expect(recovered.fetchTopLevelUserCollections().map(\.localizedTitle) == ["folder"])
        try requireSound(recovered)
    }

    @Test("without the header, or without the table, the blocks are still found")
    func damagedContents() throws {
        let library = try library()
        let good = try library.savedBytes
        let table = try SavedBlocks(good).table
        for place in [30, 40, 50, 65, 70, table.lowerBound + 8, table.lowerBound + 3 * 16 + 9, table.upperBound - 1] {
            var bytes = good
            bytes[place] ^= 1
            let (recovered, report) = try recover(bytes)
            let contents = report.losses.filter { $0.content == .contents }
            #expect(contents.count == 1 && report.isVerified, "byte \(place)")
            // A block whose checksum in the table is damaged cannot be proven sound, so it is lost.
            let isDigestOfChunk = place == table.lowerBound + 8
            #expect(recovered.countOfAssets() == (isDigestOfChunk ? 1200 - Chunk.rowCount : 1200), "byte \(place)")
            try requireSound(recovered)
            #expect(recovered.snapshot.number >= library.snapshot.number)
        }
    }

    @Test("a file cut short at any place gives the parts before that place, unchecked", arguments: [1, 2] as [UInt64])
    func truncated(seed: UInt64) throws {
        let library = try library()
        let bytes = try library.savedBytes
        let blocks = try SavedBlocks(bytes)
        var random = SeededGenerator(seed: seed)
        // Those of less than a header too, which libFuzzer found.
        let short = [21, 69, 71, 72]
        let anywhere = (0..<20).map { _ in 20 + random.index(below: bytes.count - 20) }
        let lengths = short + blocks.ranges.map(\.upperBound) + anywhere
        for length in lengths where length < blocks.table.lowerBound {
            let (recovered, report) = try recover(Array(bytes.prefix(length)))
            let chunkCount = blocks.ranges.prefix(3).filter { $0.upperBound <= length }.count
            #expect(
                recovered.countOfAssets() == min(1200, chunkCount * Chunk.rowCount), "seed \(seed), \(length) bytes")
            #expect(!report.isComplete && !report.isVerified)
            let collectionCount = recovered.fetchTopLevelUserCollections().count
            if blocks.ranges[3].upperBound <= length { #expect(collectionCount == 1, "seed \(seed), \(length)") }
            if length <= blocks.ranges[3].lowerBound { #expect(collectionCount == 0, "seed \(seed), \(length)") }
            try requireSound(recovered)
        }
    }

    @Test("any bytes give a library or an error", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        let bytes = try RandomLibrary(seed: seed, transactionCount: 25).library.savedBytes
        let blocks = try SavedBlocks(bytes)
        var random = SeededGenerator(seed: seed)
        for round in 0..<150 {
            var forged = bytes
            for _ in 0...random.index(below: 4) {
                forged[20 + random.index(below: forged.count - 20)] = UInt8(truncatingIfNeeded: random.next())
            }
            // Half of the files get valid checksums around wrong contents.
            if round % 2 == 0 { blocks.seal(&forged) }
            if round % 5 == 0 { forged.removeLast(random.index(below: forged.count - 100)) }
            guard let (recovered, _) = try? recover(forged) else { continue }
            #expect(recovered.snapshot.brokenInvariants.isEmpty, "seed \(seed), round \(round)")
            _ = recovered.walkThrough()
            #expect(throws: Never.self, "seed \(seed), round \(round)") {
                try PhotoLibrary.state(loading: recovered.savedBytes)
            }
        }
    }

    @Test("albums and folders that could not be loaded are repaired and reported")
    func forest() throws {
        func identifier(_ kind: CollectionIdentifier.Kind, _ number: UInt64) -> CollectionIdentifier {
            CollectionIdentifier(kind: kind, high: 1, low: number)
        }
        let (outer, inner, gone) = (identifier(.folder, 1), identifier(.folder, 2), identifier(.album, 3))
        let (album, stray) = (identifier(.album, 4), identifier(.album, 5))
        func record(
            _ identifier: CollectionIdentifier, in parent: CollectionIdentifier, rows: [UInt32] = [],
            _ children: [CollectionIdentifier] = []
        ) -> CollectionRecord {
            CollectionRecord(
                identifier: identifier, subtype: 2, title: "\(identifier.low)", parent: parent,
                sequence: identifier.low, changeNumber: 1, modified: nil, rows: rows, children: children)
        }
        var root = record(.root, in: .root)
        root.children = [gone, stray, stray]
        var repaired: [CollectionIdentifier] = []
        let table = CollectionTable(
            recovering: [
                record(outer, in: inner, [inner]), record(inner, in: outer, [outer, album, gone]),
                record(album, in: inner, rows: [0, 0, 7, 600, 2]), record(stray, in: .root, rows: [1]),
                record(stray, in: .root, rows: [2]),
            ], root: root, rowCount: 3, number: 1, isAlive: { $0 != 2 }, repaired: &repaired)
        #expect(table.root.children == [stray, outer])
        #expect(table[outer]?.children == [inner] && table[inner]?.children == [album])
        #expect(table[inner]?.parent == outer && table[outer]?.parent == .root)
        #expect(table[album]?.rows == [0] && table[stray]?.rows == [1])
        #expect(Set(repaired) == [outer, inner, album, .root])
        #expect(table.nextSequence == 6)
    }

    @Test("the public method recovers from a file, and throws for a file that is no library")
    func files() async throws {
        let folder = try TemporaryFolder()
        let library = try library()
        var bytes = try library.savedBytes
        bytes[try SavedBlocks(bytes).ranges[0].lowerBound] ^= 1
        try folder.write("library", bytes)
        try folder.write("photo", TinyImages.png(4, 3))
        let (recovered, report) = try await PhotoLibrary.recover(from: folder.path + "/library")
        #expect(recovered.countOfAssets() == 1200 - Chunk.rowCount && report.losses.count == 1)
        await #expect(throws: LibraryFileError.notALibrary) {
            _ = try await PhotoLibrary.recover(from: folder.path + "/photo")
        }
        await #expect(throws: LibraryFileError.notFound(path: folder.path + "/none")) {
            _ = try await PhotoLibrary.recover(from: folder.path + "/none")
        }
    }
}
