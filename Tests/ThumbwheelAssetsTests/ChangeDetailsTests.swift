import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite struct ChangeDetailsTests {
    @Test("removals, insertions and moves make after of before, for random lists", arguments: 0..<40 as Range<UInt64>)
    func randomLists(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let count = random.index(below: 40)
            var before = (0..<count).map { SampleAssets.asset($0) }
            before.sort { _, _ in false }
            var after = before.filter { _ in random.index(below: 4) > 0 }
            for number in 0..<random.index(below: 10) {
                after.insert(SampleAssets.asset(100 + number), at: random.index(below: after.count + 1))
            }
            for _ in 0..<random.index(below: 6) where !after.isEmpty {
                let asset = after.remove(at: random.index(below: after.count))
                after.insert(asset, at: random.index(below: after.count + 1))
            }
            let changed = before.filter { _ in random.index(below: 5) == 0 }
            let details = FetchResultChangeDetails(
                from: FetchResult(before), to: FetchResult(after), changedObjects: changed)
            try #require(details.applied() == after, "seed \(seed)")
            try #require(details.insertedIndexes!.isDisjoint(with: details.changedIndexes!), "seed \(seed)")
            try #require(details.changedIndexes!.allSatisfy { changed.contains(after[$0]) }, "seed \(seed)")
            let kept = after.filter { before.contains($0) }
            if kept == before.filter({ after.contains($0) }) { try #require(!details.hasMoves, "seed \(seed)") }
        }
    }

    @Test("lists that hold things several times have a difference, too")
    func repetitions() throws {
        var random = SeededGenerator(seed: 3)
        for round in 0..<500 {
            let lists = (0..<2).map { _ in
                (0..<random.index(below: 12)).map { _ in SampleAssets.asset(random.index(below: 6)) }
            }
            let details = FetchResultChangeDetails(
                from: FetchResult(lists[0]), to: FetchResult(lists[1]), changedObjects: lists[0])
            try #require(details.applied() == lists[1], "round \(round)")
            try #require(details.insertedIndexes!.isDisjoint(with: details.changedIndexes!), "round \(round)")
        }
    }

    @Test("a result that follows changes equals one that is fetched anew", arguments: 0..<6 as Range<UInt64>)
    func followedResults(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let library = PhotoLibrary()
        library.add((0..<3000).map { SampleAssets.random($0, &random) })
        let album = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets((0..<900).map { SampleAssets.identifier($0 * 7 % 3000) }, to: album)
            return album
        }
        let collection = try #require(library.fetchAssetCollections(with: .album).first)
        let sorts: [[AssetSortDescriptor]] = [
            [], [AssetSortDescriptor(.creationDate, ascending: false)],
            [AssetSortDescriptor(.isFavorite, ascending: false), AssetSortDescriptor(.fileSize)],
            [AssetSortDescriptor(.originalFilename)],
        ]
        let predicate = try AssetPredicate(#Predicate<Asset> { $0.isFavorite || $0.pixelWidth > 30 })
        var results = sorts.flatMap { sort in
            [nil, predicate].map { library.fetchAssets(with: FetchOptions(predicate: $0, sortDescriptors: sort)) }
        }
        for sort in sorts {
            results.append(library.fetchAssets(in: collection, options: FetchOptions(sortDescriptors: sort)))
            results.append(library.fetchAssets(with: FetchOptions(sortDescriptors: sort, fetchLimit: 50)))
        }
        let some = (0..<400).map { SampleAssets.identifier($0 * 13 % 3000).localIdentifier }
        results.append(library.fetchAssets(withLocalIdentifiers: some))
        for step in 0..<60 {
            let before = library.fetchAssets()
            let edits = (0...random.index(below: 20)).map { _ in
                (random.index(below: 3000), random.index(below: 4), Double(random.index(below: 50)) * 86_400)
            }
            let created = SampleAssets.random(4000 + step, &random)
            let members = library.fetchAssets(in: collection).count
            let (from, to) = (random.index(below: members), random.index(below: members))
            let change = try library.changeMade { changes in
                try changes.createAsset(created)
                if step % 3 == 0 { try changes.addAssets([created], to: album) }
                if step % 3 == 1 { try changes.moveAssets(at: [from], to: min(to, members - 1), in: album) }
                if step % 5 == 0 { try changes.removeAssets(at: [from], from: album) }
                for (number, kind, date) in edits {
                    let identifier = SampleAssets.identifier(number)
                    guard let asset = before.first(where: { $0.identifier == identifier }),
                        asset.canPerform(.properties)
                    else { continue }
                    if kind == 3 { try changes.deleteAssets([identifier]) }
                    try changes.edit(identifier) { edits in
                        if kind == 0 { edits.isFavorite.toggle() }
                        if kind == 1 { edits.isHidden.toggle() }
                        if kind == 2 { edits.creationDate = Date(timeIntervalSinceReferenceDate: date) }
                    }
                }
            }
            for index in results.indices {
                guard let details = change.changeDetails(for: results[index]) else {
                    try #require(library.fetchAssets(like: results[index]) == results[index])
                    continue
                }
                let place: Comment = "seed \(seed), step \(step), result \(index)"
                try #require(details.hasIncrementalChanges, place)
                try #require(details.applied() == Array(details.fetchResultAfterChanges), place)
                try #require(details.insertedIndexes!.isDisjoint(with: details.changedIndexes!), place)
                try #require(details.fetchResultAfterChanges == library.fetchAssets(like: results[index]), place)
                results[index] = details.fetchResultAfterChanges
            }
        }
    }

    @Test("toggling a favourite shows the one index that changed, and no insertion")
    func favourite() throws {
        let library = PhotoLibrary()
        library.add((0..<100).map { SampleAssets.asset($0, created: Double($0)) })
        let newest = library.fetchAssets(
            with: FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)]))
        let asset = newest[30]
        let change = try library.changeMade { try $0.edit(asset) { $0.isFavorite.toggle() } }
        let details = try #require(change.changeDetails(for: newest))
        #expect(details.changedIndexes == IndexSet(integer: 30))
        #expect(details.insertedIndexes!.isEmpty && details.removedIndexes!.isEmpty && !details.hasMoves)
        #expect(details.changedObjects.first?.isFavorite == true)
        let object = try #require(change.changeDetails(for: asset))
        #expect(object.objectAfterChanges?.isFavorite == true)
        #expect(!object.assetContentChanged && !object.objectWasDeleted)
        #expect(change.changeDetails(for: newest[31]) == nil)
        #expect(change.changeDetails(for: details.fetchResultAfterChanges) == nil)
    }

    @Test("where thousands of elements change places, the later result is told and no single change")
    func tooManyMoves() {
        let before = FetchResult((0..<5000).map { SampleAssets.asset($0) })
        let after = FetchResult((0..<5000).map { before[($0 * 1771) % 5000] })
        let details = FetchResultChangeDetails(from: before, to: after, changedObjects: [before[0]])
        #expect(!details.hasIncrementalChanges && details.fetchResultAfterChanges == after && !details.hasMoves)
        #expect(details.removedIndexes == nil && details.insertedIndexes == nil && details.changedIndexes == nil)
        // As many elements that come and go are told one by one.
        let others = FetchResult((5000..<10_000).map { SampleAssets.asset($0) })
        let replaced = FetchResultChangeDetails(from: before, to: others, changedObjects: [])
        #expect(replaced.removedIndexes?.count == 5000 && replaced.insertedIndexes?.count == 5000)
    }

    @Test("a result that did not want details is told only that it is old")
    func unwanted() throws {
        let library = PhotoLibrary()
        library.add((0..<10).map { SampleAssets.asset($0) })
        let result = library.fetchAssets(with: FetchOptions(wantsIncrementalChangeDetails: false))
        let change = try library.changeMade { try $0.deleteAssets([result[0]]) }
        let details = try #require(change.changeDetails(for: result))
        #expect(!details.hasIncrementalChanges && details.removedIndexes == nil && !details.hasMoves)
        #expect(details.fetchResultAfterChanges.count == 9)
    }
}
