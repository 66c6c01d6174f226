import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Rows of deleted assets") struct CompactingTests {
    private let library = PhotoLibrary()
    private let one = ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX")!

    private func deleteForGood(_ numbers: some Sequence<Int>) throws {
        let identifiers = numbers.map { SampleAssets.identifier($0) }
        try library.performChangesAndWait { changes in
            try changes.deleteAssets(identifiers)
            try changes.deleteAssetsPermanently(identifiers)
        }
    }

    @Test("assets that come and go leave no rows behind, wherever the remaining assets lie")
    func comingAndGoing() throws {
        var staying: [Int] = []
        var bytes: [Int] = []
        for round in 0..<30 {
            library.add((0..<1000).map { SampleAssets.asset(round * 1000 + $0) })
            staying += [round * 1000 + 500, round * 1000 + 999]
            try deleteForGood((0..<1000).map { round * 1000 + $0 }.filter { $0 % 1000 != 500 && $0 % 1000 != 999 })
            try #require(library.snapshot.brokenInvariants == [])
            try #require(library.snapshot.rowCount < 2200)
            bytes.append(try library.savedBytes.count)
        }
        #expect(library.fetchAssets().numbers == staying)
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
        #expect(loaded.fetchAssets().numbers == staying)
    }

    @Test("compacting keeps the albums, hashes, versions and change numbers of live assets")
    func whatStays() throws {
        library.add((0..<1600).map { SampleAssets.asset($0) })
        let kept = stride(from: 0, to: 1600, by: 4).reversed().filter { $0 % 3 != 0 }
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<1600).reversed().map { SampleAssets.identifier($0) }, to: album)
            try changes.setAdjusted(
                SampleAssets.identifier(8), rendering: .bytes(TinyImages.png(4, 3)),
                adjustmentData: AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1]))
            try changes.deleteAssets([SampleAssets.identifier(16)])
            return album
        }
        for asset in library.fetchAssets() where asset.identifier.low % 5 == 0 { asset.keepThumbHash(one) }
        let before = Dictionary(
            uniqueKeysWithValues: library.snapshot.living.map { ($0.identifier, $0) })
        let numbering = library.snapshot.numbering
        try deleteForGood((0..<1600).filter { $0 % 4 != 0 || $0 % 3 == 0 })
        #expect(library.snapshot.numbering == numbering + 1 && library.snapshot.deadRowCount == 0)
        #expect(library.snapshot.brokenInvariants == [])
        for asset in library.snapshot.living {
            let known = try #require(before[asset.identifier])
            #expect(asset.facts == known.facts && asset.thumbHash == known.thumbHash)
        }
        let collection = library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])[0]
        #expect(library.fetchAssets(in: collection).numbers == kept.filter { $0 != 16 })
        #expect(collection.estimatedAssetCount == kept.count - 1, "one is in Recently Deleted")
        // Earlier changes do not count again after compacting.
        let change = try library.changeMade { changes in
            try changes.edit(SampleAssets.identifier(4)) { $0.isFavorite = true }
        }
        #expect(change.after.rowsChanged(since: change.before).count == 1)
    }

    @Test("earlier fetch results stay valid, and learn what became of their assets", arguments: [1, 2, 3] as [UInt64])
    func results(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var living = Array(0..<3000)
        library.add(living.map { sample($0, &random) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<3000).shuffled(using: &random).map { SampleAssets.identifier($0) }, to: album)
            return album
        }
        let collection = library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])[0]
        let date = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
        let size = FetchOptions(sortDescriptors: [AssetSortDescriptor(.fileSize)], fetchLimit: 100)
        func fetches() -> [FetchResult<Asset>] {
            [
                library.fetchAssets(), library.fetchAssets(with: date), library.fetchAssets(with: size),
                library.fetchAssets(in: collection), library.fetchAssets(in: collection, options: date),
            ]
        }
        let first = library.snapshot
        let oldest = fetches()
        let shown = oldest.map(\.numbers)
        var next = 3000
        for round in 0..<12 {
            let before = fetches()
            var edited: Set<Int> = []
            let change = try library.changeMade { changes in
                let count = [5, 900, 1500][random.index(below: 3)]
                let gone = living.shuffled(using: &random).prefix(min(count, living.count - 50))
                let identifiers = gone.map { SampleAssets.identifier($0) }
                try changes.deleteAssets(identifiers)
                try changes.deleteAssetsPermanently(identifiers)
                let goneNumbers = Set(gone)
                living.removeAll { goneNumbers.contains($0) }
                for number in living.shuffled(using: &random).prefix(8) {
                    try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() }
                    edited.insert(number)
                }
                for _ in 0..<random.index(below: 700) {
                    try changes.createAsset(sample(next, &random))
                    living.append(next)
                    next += 1
                }
            }
            try #require(library.snapshot.brokenInvariants == [], "round \(round), seed \(seed)")
            for (result, now) in zip(before + oldest, fetches() + fetches()) {
                guard let details = change.changeDetails(for: result) else {
                    try #require(result.numbers == now.numbers, "round \(round), seed \(seed)")
                    continue
                }
                try #require(details.fetchResultAfterChanges.numbers == now.numbers, "round \(round), seed \(seed)")
                if details.hasIncrementalChanges {
                    let applied = details.applied().map { Int($0.identifier.low) }
                    try #require(applied == now.numbers, "round \(round), seed \(seed)")
                }
            }
            let changed = change.changeDetails(for: before[0])?.changedIndexes.map { indexes in
                Set(indexes.map { fetches()[0].numbers[$0] })
            }
            let seen = Set(before[0].numbers).intersection(fetches()[0].numbers)
            if let changed { try #require(changed == edited.intersection(seen), "round \(round), seed \(seed)") }
            let whole = LibraryChange(before: first, after: library.snapshot, library: library.core.identity)
            let alive = Set(living)
            let lost = Set(whole.assetsWithLostContents.map { Int($0.low) })
            try #require(lost == Set((0..<3000).filter { !alive.contains($0) }), "round \(round), seed \(seed)")
        }
        #expect(library.snapshot.numbering > 0)
        #expect(oldest.map(\.numbers) == shown)
        #expect(oldest[0] != fetches()[0])
        #expect(oldest[0].index(of: SampleAssets.identifier(shown[0][7])) == 7)
    }

    private func sample(_ number: Int, _ random: inout SeededGenerator) -> Asset {
        SampleAssets.asset(
            number, created: Double(random.index(below: 50)), fileSize: random.index(below: 5000),
            hidden: random.index(below: 9) == 0)
    }

    @Test("an album's count leaves out what was deleted for good, before the album is edited")
    func albumCount() throws {
        library.add((0..<20).map { SampleAssets.asset($0) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<20).map { SampleAssets.identifier($0) }, to: album)
            return album
        }
        func now() -> AssetCollection {
            library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier])[0]
        }
        try deleteForGood(0..<5)
        #expect(now().estimatedAssetCount == 15)
        try deleteForGood(5..<20)
        #expect(now().estimatedAssetCount == 0)
        var options = CollectionFetchOptions()
        options.predicate = try CollectionPredicate(PredicateFormat("estimatedAssetCount > 0"))
        #expect(library.fetchAssetCollections(with: .album, options: options).isEmpty)
    }

    @Test("an asset that went to Recently Deleted and came back takes no more memory than before")
    func restored() throws {
        library.add((0..<600).map { SampleAssets.asset($0) })
        let identifiers = (0..<600).map { SampleAssets.identifier($0) }
        try library.performChangesAndWait { try $0.deleteAssets(identifiers) }
        #expect(library.snapshot.asset(at: 7).trashedDate != nil)
        try library.performChangesAndWait { try $0.restoreAssets(identifiers) }
        let columns = library.snapshot.chunks.map(\.columns)
        #expect(columns.allSatisfy { $0.trashed.isEmpty && $0.details.capacity == 0 })
        // The same for assets that have details for a while.
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        try library.performChangesAndWait { changes in
            for identifier in identifiers {
                try changes.setAdjusted(identifier, rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
            }
        }
        try library.performChangesAndWait { changes in
            for identifier in identifiers.dropLast() { try changes.revertToOriginal(identifier) }
        }
        let capacities = library.snapshot.chunks.map(\.columns.details.capacity)
        #expect(capacities.allSatisfy { $0 <= 8 }, "\(capacities)")
    }

    @Test("the history of a small library is no larger than the library, whatever the limit", arguments: [100, 1000])
    func historyOfFew(assetCount: Int) throws {
        library.add((0..<assetCount).map { SampleAssets.asset($0) })
        let limit = max(512 << 10, assetCount * Chunk.assetByteCount)
        var tokens = [library.currentChangeToken]
        for round in 0..<12 {
            let numbers = (1...10).map { 100_000 + round * 10_000 + $0 * 1000 }
            library.add(numbers.flatMap { $0..<$0 + 1000 }.map { SampleAssets.asset($0) })
            try deleteForGood(numbers.flatMap { $0..<$0 + 1000 })
            tokens.append(library.currentChangeToken)
            try #require(library.state.history.byteCount <= limit)
        }
        #expect(try library.savedBytes.count < 2 * limit)
        #expect(throws: PersistentChangeError.tokenExpired) { try library.fetchPersistentChanges(since: tokens[0]) }
        let last = try #require(try library.fetchPersistentChanges(since: tokens[11]).last)
        #expect(try last.assetDetails().deleted.count == 10_000)
        // The library is small when it is loaded, too.
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
        #expect(loaded.state.history.byteCount <= limit)
        #expect(try loaded.fetchPersistentChanges(since: tokens[12]).isEmpty)
    }

    @Test("entries of the history take the memory that they are counted with")
    func historyMemory() throws {
        library.add((0..<3000).map { SampleAssets.asset($0) })
        try deleteForGood(0..<1500)
        for details in library.state.history.entries.compactMap(\.details) {
            for assets in [details.insertedAssets, details.updatedAssets, details.deletedAssets] {
                // The allocator rounds up.
                #expect(assets.capacity <= assets.count + assets.count / 4 + 4)
            }
        }
    }

    @Test("the history keeps its byte limit, and reports forgotten transactions", arguments: [false, true])
    func history(isLoaded: Bool) throws {
        let configuration = PhotoLibrary.Configuration { $0.historyByteLimit = 100_000 }
        var library = PhotoLibrary(configuration: isLoaded ? PhotoLibrary.Configuration() : configuration)
        library.add((0..<500).map { SampleAssets.asset($0) })
        var tokens: [ChangeToken] = []
        for _ in 0..<200 {
            try library.performChangesAndWait { changes in
                for number in 0..<500 { try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() } }
            }
            tokens.append(library.currentChangeToken)
        }
        if isLoaded {
            library = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes), configuration)
        }
        let history = library.state.history
        #expect(history.byteCount <= 100_000 && history.entries.count >= 9)
        #expect(history.byteCount == ChangeHistory(entries: history.entries).byteCount)
        #expect(throws: PersistentChangeError.tokenExpired) { try library.fetchPersistentChanges(since: tokens[100]) }
        #expect(
            try library.fetchPersistentChanges(since: tokens[195]).map { try $0.assetDetails().updated.count } == [
                500, 500, 500, 500,
            ])
        // A transaction that exceeds the limit by itself is remembered without its details.
        library.add((1000..<20_000).map { SampleAssets.asset($0) })
        #expect(throws: PersistentChangeError.detailsUnavailable) {
            try library.fetchPersistentChanges(since: tokens[199])[0].assetDetails()
        }
    }
}

extension ChangeHistory {
    fileprivate init(entries: [Entry]) {
        self.init()
        for entry in entries { append(entry, byteLimit: .max) }
    }
}

extension Snapshot {
    fileprivate var living: [Asset] {
        chunks.flatMap { chunk in
            (0..<chunk.columns.count).filter { chunk.columns[.alive, $0] }.map { Asset(chunk, slot: $0) }
        }
    }
}
