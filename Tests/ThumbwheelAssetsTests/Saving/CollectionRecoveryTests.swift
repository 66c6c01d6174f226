import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Recovery of albums and folders one by one")
struct CollectionRecoveryTests {
    private func recover(_ bytes: [UInt8]) throws -> (library: PhotoLibrary, report: RecoveryReport) {
        let recovery = try LibraryRecovery(MemoryByteSource(bytes)) { NamedProvider(identifier: $0) }
        return (PhotoLibrary(recovery.state), recovery.report)
    }

    /// A library with two folders of two albums each.
    private func library() throws -> PhotoLibrary {
        let library = PhotoLibrary()
        library.add((0..<20).map { SampleAssets.asset($0) })
        try library.performChangesAndWait { changes in
            for folderNumber in 0..<2 {
                let folder = try changes.createFolder(title: "folder \(folderNumber)")
                for number in 0..<2 {
                    let album = try changes.createAlbum(title: "album \(folderNumber) \(number)", in: folder)
                    try changes.addAssets((0..<7).map { SampleAssets.identifier(2 * $0 + number) }, to: album)
                }
            }
        }
        return library
    }

    /// The albums with their titles and members, and the folders with theirs.
    private func contents(_ library: PhotoLibrary) -> Set<String> {
        let albums = library.fetchAssetCollections(with: .album).map { album in
            "\(album.localizedTitle ?? "") \(library.fetchAssets(in: album).numbers)"
        }
        let folders = library.fetchCollectionLists().map { folder in
            "\(folder.localizedTitle ?? "") \(library.fetchCollections(in: folder).map { $0.localizedTitle ?? "" })"
        }
        return Set(albums + folders)
    }

    @Test("damage in any byte costs one album or folder at most")
    func everyByte() throws {
        let library = try library()
        let good = try library.savedBytes
        let block = try SavedBlocks(good).ranges[1]
        let whole = contents(library)
        #expect(whole.count == 6)
        var lossCounts = [0, 0]
        for place in block {
            var bytes = good
            bytes[place] ^= 1 << UInt8(place % 8)
            let (recovered, report) = try recover(bytes)
            let loss = try #require(report.losses.first, "byte \(place)")
            try #require(
                report.losses.count == 1 && report.isVerified && loss.byteRange.contains(place), "byte \(place)")
            try #require(recovered.countOfAssets() == 20, "byte \(place)")
            let titles = Set(
                (recovered.fetchAssetCollections(with: .album).map(\.localizedTitle)
                    + recovered.fetchCollectionLists().map(\.localizedTitle)).map { $0 ?? "" })
            switch loss.content {
            case .contents:
                lossCounts[0] += 1
                try #require(contents(recovered) == whole && report.repairedCollections.isEmpty, "byte \(place)")
            case .collections:
                lossCounts[1] += 1
                // The folder of a lost album no longer lists it.
                try #require(titles.count >= 5 && whole.subtracting(contents(recovered)).count <= 2, "byte \(place)")
            default: Issue.record("byte \(place): \(loss)")
            }
            let again = PhotoLibrary(try PhotoLibrary.state(loading: recovered.savedBytes))
            try #require(contents(again) == contents(recovered), "byte \(place)")
        }
        // Two lists of seven records, with a length and a checksum of each.
        #expect(lossCounts[0] == 2 * (8 + 8 + 7 * 16 + 8) + 8 && lossCounts.reduce(0, +) == block.count)
    }

    @Test("a block that was cut short gives the collections before the cut")
    func cutShort() throws {
        let good = try library().savedBytes
        let block = try SavedBlocks(good).ranges[1]
        var counts: Set<Int> = []
        for length in block {
            let (recovered, _) = try recover(Array(good.prefix(length)))
            counts.insert(contents(recovered).count)
        }
        #expect(counts == Set(0...6))
    }

    /// The same library as version 3 wrote it: collections in a list without checksums.
    private func formerBytes(_ library: PhotoLibrary) throws -> [UInt8] {
        let good = try library.savedBytes
        var blocks = try SavedBlocks(good).ranges.map { Array(good[$0]) }
        // Each head without the last three facts: whether it is interlaced, whether it is lossless, and the number of
        // entries of an index.
        for head in library.snapshot.chunks[0].columns.prototypes {
            var writer = BlockWriter()
            writer.write(head)
            let place = try #require(blocks[0].firstRange(of: writer.bytes))
            blocks[0].removeSubrange(place.upperBound - 10..<place.upperBound)
        }
        // Without the marks and digests of files and the dates of renderings, of which this library has none.
        blocks[0].removeLast(5)
        let table = library.snapshot.collections
        var writer = BlockWriter()
        writer.write(table.nextSequence)
        writer.write(table.root)
        writer.write(each: table.records) { $0.write($1) }
        blocks[1] = writer.bytes
        var bytes = SavedBlocks.file(blocks, snapshotNumber: library.snapshot.number)
        bytes[20] = 3
        SavedBlocks.sealHeader(&bytes)
        return bytes
    }

    @Test("a file of version 3 is loaded, and recovered, as it was")
    func formerVersion() throws {
        let library = try library()
        let bytes = try formerBytes(library)
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: bytes))
        #expect(loaded.walkThrough() == library.walkThrough())
        let (recovered, report) = try recover(bytes)
        #expect(report.isComplete && recovered.walkThrough() == library.walkThrough())
        // There, damage costs the whole block.
        var damaged = bytes
        let block = try SavedBlocks(bytes).ranges[1]
        damaged[block.lowerBound + 40] ^= 1
        let (rest, losses) = try recover(damaged)
        #expect(contents(rest).isEmpty && rest.countOfAssets() == 20)
        #expect(losses.losses.map(\.content) == [.collections] && losses.losses.map(\.byteRange) == [block])
    }

    @Test(
        "a library whose file names impossible transactions can be changed, saved and loaded again",
        arguments: [1 << 62, (1 << 62) - 1, .max] as [UInt64], [false, true])
    func impossibleNumbers(number: UInt64, hasHeader: Bool) throws {
        let library = try library()
        let snapshot = library.snapshot
        // Nobody else reads this library.
        let columns = ChunkColumns(copying: snapshot.chunks[0].columns)
        columns.setChange(number, at: 3)
        var collections = snapshot.collections
        for record in collections.records.prefix(2) {
            collections.update(record.identifier) { $0.changeNumber = number }
            collections.update(record.identifier) { $0.sequence = number - 1 }
        }
        let forged = Snapshot(
            number: snapshot.number, chunks: ChunkList([Chunk(columns)]), rowCount: snapshot.rowCount,
            index: snapshot.index, collections: collections)
        var bytes = try PhotoLibrary.savedBytes(of: LibraryCore.State(snapshot: forged, history: library.state.history))
        if !hasHeader { bytes[30] ^= 1 }
        let (recovered, _) = try recover(bytes)
        #expect(contents(recovered) == contents(library))
        for round in 0..<3 {
            _ = try PhotoLibrary.state(loading: recovered.savedBytes)
            let token = recovered.currentChangeToken
            try recovered.performChangesAndWait { changes in
                _ = try changes.createAlbum(title: "new \(round)")
                try changes.edit(SampleAssets.identifier(round)) { $0.isFavorite = true }
            }
            #expect(try recovered.fetchPersistentChanges(since: token).count == 1)
        }
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: recovered.savedBytes))
        #expect(contents(loaded).count == 9)
    }
}
