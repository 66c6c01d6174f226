import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("A library beside a reference in plain arrays")
struct ModelBasedTests {
    @Test("thousands of random transactions leave both equal, in every fetch", arguments: [1, 2, 3, 4] as [UInt64])
    func randomTransactions(seed: UInt64) throws {
        var run = try ModelRun(seed: seed)
        for step in 0..<1200 {
            try run.step()
            try run.compare("seed \(seed), step \(step)")
        }
    }
}

struct ModelRun {
    let library = PhotoLibrary(now: { Date(timeIntervalSinceReferenceDate: 5000) })
    var reference = ReferenceLibrary()
    private var albums: [CollectionPlaceholder] = []
    /// Albums and folders, by the numbers that the reference has for them.
    var nodes: [Int: CollectionPlaceholder] = [:]
    var random: SeededGenerator
    var nextNode = 2
    private var nextNumber = 0
    /// Per asset, how often its pixels had changed when its content version was looked at, and the version.
    private var versions: [Int: (pixelChangeCount: Int, version: UInt32)] = [:]

    private let all = FetchOptions()
    private let newest = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
    private let newestFive = FetchOptions(
        sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)], fetchLimit: 5)
    private let favorites: FetchOptions
    private var results: [FetchResult<Asset>] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        favorites = try FetchOptions(matching: #Predicate<Asset> { $0.isFavorite && $0.pixelWidth > 20 })
        albums = try library.performChangesAndWait { changes in
            [try changes.createAlbum(title: "one"), try changes.createAlbum(title: "two")]
        }
        reference.albums = [[], []]
        reference.children[ReferenceLibrary.top] = [0, 1]
        nodes = [0: albums[0], 1: albums[1]]
        fetchResults()
    }

    private mutating func fetchResults() {
        results = [all, newest, newestFive, favorites].map { library.fetchAssets(with: $0) }
        for album in library.fetchAssetCollections(with: .album) {
            results.append(library.fetchAssets(in: album))
            results.append(library.fetchAssets(in: album, options: newest))
        }
    }

    // MARK: Steps

    mutating func step() throws {
        let before = reference
        let isCancelled = random.index(below: 10) == 0
        struct Cancelled: Error {}
        do {
            // Copies, because the closure may not capture `self` that changes.
            var run = self
            try library.performChangesAndWait { changes in
                for _ in 0...run.random.index(below: 4) { try run.operation(&changes) }
                if isCancelled { throw Cancelled() }
            }
            self = run
        } catch is Cancelled {
            reference = before
            _ = random.next()
        }
    }

    private var someNumber: Int? {
        mutating get {
            reference.items.isEmpty ? nil : reference.items[random.index(below: reference.items.count)].number
        }
    }

    private mutating func operation(_ changes: inout LibraryTransaction) throws {
        let choice = random.index(below: 18)
        if choice >= 16 { return try folderOperation(&changes) }
        if choice < 3 {
            for _ in 0...random.index(below: 3) {
                let asset = SampleAssets.random(nextNumber, &random)
                nextNumber += 1
                try changes.createAsset(asset)
                reference.items.append(
                    ReferenceLibrary.Item(
                        asset: asset, isFavorite: asset.isFavorite, isHidden: asset.isHidden,
                        creationDate: asset.creationDate))
            }
            return
        }
        if 8..<14 ~= choice { return try albumOperation(choice, &changes) }
        guard let number = someNumber, let item = reference.item(number) else { return }
        let identifier = SampleAssets.identifier(number)
        let isForeign = item.asset.sourceType != .userLibrary
        switch choice {
        case 14, 15:
            guard !isForeign, item.asset.mediaType == .image else { return }
            try adjust(item, &changes)
        case 3, 4, 5:
            guard !isForeign else { return }
            let date = Date(timeIntervalSinceReferenceDate: Double(random.index(below: 60)) * 86_400)
            try changes.edit(identifier) { edits in
                if choice == 3 { edits.isFavorite.toggle() }
                if choice == 4 { edits.isHidden.toggle() }
                if choice == 5 { edits.creationDate = date }
            }
            reference.change(number) { item in
                if choice == 3 { item.isFavorite.toggle() }
                if choice == 4 { item.isHidden.toggle() }
                if choice == 5 { item.creationDate = date }
            }
        case 6:
            guard !isForeign else { return }
            try changes.deleteAssets([identifier])
            reference.change(number) { $0.isTrashed = true }
        default:
            guard item.isTrashed else { return }
            if random.index(below: 2) == 0 {
                try changes.restoreAssets([identifier])
                reference.change(number) { $0.isTrashed = false }
            } else {
                try changes.deleteAssetsPermanently([identifier])
                reference.deletePermanently(number)
            }
        }
    }

    private mutating func adjust(_ item: ReferenceLibrary.Item, _ changes: inout LibraryTransaction) throws {
        if item.adjustedWidth != nil, random.index(below: 2) == 0 {
            try changes.revertToOriginal(item.asset)
            reference.change(item.number) { item in
                item.adjustedWidth = nil
                item.pixelChangeCount += 1
            }
            return
        }
        let width = 1 + random.index(below: 40)
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [UInt8(width)])
        let rendering = AssetResource.bytes(TinyImages.png(UInt8(width), 7))
        try changes.setAdjusted(item.asset, rendering: rendering, adjustmentData: recipe)
        reference.change(item.number) { item in
            if item.adjustedWidth != width { item.pixelChangeCount += 1 }
            item.adjustedWidth = width
        }
    }

    private mutating func albumOperation(_ choice: Int, _ changes: inout LibraryTransaction) throws {
        let place = random.index(below: albums.count)
        let album = albums[place]
        var shown = reference.shownMembers(place)
        let outside = reference.items.map(\.number).filter { !reference.albums[place].contains($0) }
        func identifiers(_ numbers: [Int]) -> [AssetIdentifier] { numbers.map(SampleAssets.identifier) }
        var positions = IndexSet()
        if !shown.isEmpty { for _ in 0...random.index(below: 3) { positions.insert(random.index(below: shown.count)) } }
        var fresh: [Int] = []
        for number in outside where fresh.count < positions.count && random.index(below: 3) == 0 {
            fresh.append(number)
        }
        switch choice {
        case 8:
            let added = outside.filter { _ in random.index(below: 5) == 0 } + shown.prefix(1)
            try changes.addAssets(identifiers(added), to: album)
            let new = added.filter { !reference.albums[place].contains($0) }
            reference.setShownMembers(place, to: shown + new, placed: Set(new))
        case 9:
            var indexes = IndexSet()
            for _ in fresh { indexes.insert(random.index(below: shown.count + 1)) }
            fresh = Array(fresh.prefix(indexes.count))
            try changes.insertAssets(identifiers(fresh), into: album, at: indexes)
            for (index, number) in zip(indexes, fresh) { shown.insert(number, at: index) }
            reference.setShownMembers(place, to: shown, placed: Set(fresh))
        case 10:
            try changes.removeAssets(at: positions, from: album)
            for index in positions.reversed() { shown.remove(at: index) }
            reference.setShownMembers(place, to: shown, placed: [])
        case 11:
            let unwanted = shown.filter { _ in random.index(below: 4) == 0 }
            try changes.removeAssets(identifiers(unwanted), from: album)
            reference.setShownMembers(place, to: shown.filter { !unwanted.contains($0) }, placed: [])
        case 12:
            guard fresh.count == positions.count else { return }
            try changes.replaceAssets(at: positions, in: album, with: identifiers(fresh))
            var successors: [Int: Int] = [:]
            for (index, number) in zip(positions, fresh) {
                successors[shown[index]] = number
                shown[index] = number
            }
            reference.setShownMembers(place, to: shown, placed: Set(fresh), replacing: successors)
        default:
            let moved = positions.map { shown[$0] }
            for index in positions.reversed() { shown.remove(at: index) }
            let target = random.index(below: shown.count + 1)
            try changes.moveAssets(at: positions, to: target, in: album)
            shown.insert(contentsOf: moved, at: target)
            reference.setShownMembers(place, to: shown, placed: Set(moved))
        }
    }

    // MARK: Comparison

    mutating func compare(_ place: Comment) throws {
        try #require(library.snapshot.brokenInvariants == [], place)
        let old = results
        fetchResults()
        let newest = reference.newestFirst()
        var expected = [
            reference.shown(), newest, Array(newest.prefix(5)),
            reference.shown { $0.isFavorite && $0.width > 20 },
        ]
        for album in albums.indices {
            let members = reference.shownMembers(album)
            expected.append(members)
            let foreignToo = Set(members)
            expected.append(sortedNewest(foreignToo))
        }
        for (result, numbers) in zip(results, expected) { try #require(result.numbers == numbers, place) }
        for (number, item) in reference.items.enumerated() where number % 7 == 0 {
            let asset = library.asset(withIdentifier: item.asset.identifier)
            try #require((asset == nil) == item.isTrashed, place)
            if let asset {
                try #require(asset.isFavorite == item.isFavorite && asset.creationDate == item.creationDate, place)
                try #require(asset.location == item.asset.location && asset.pixelWidth == item.width, place)
                try #require(asset.hasAdjustments == (item.adjustedWidth != nil), place)
                if item.adjustedWidth == nil { try #require(asset.fileSize == item.asset.fileSize, place) }
                let known = versions[item.number] ?? (item.pixelChangeCount, asset.contentVersion)
                let isSame = known.version == asset.contentVersion
                try #require(isSame == (known.pixelChangeCount == item.pixelChangeCount), place)
                versions[item.number] = (item.pixelChangeCount, asset.contentVersion)
            }
        }
        try compareFolders(place)
        for (before, after) in zip(old, results) { try compareDifference(before, after, place) }
    }

    private func sortedNewest(_ numbers: Set<Int>) -> [Int] {
        reference.items.enumerated().filter { numbers.contains($0.element.number) }.sorted { one, other in
            let (first, second) = (
                one.element.creationDate ?? .distantPast, other.element.creationDate ?? .distantPast
            )
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element.number)
    }

    private func compareDifference(
        _ before: FetchResult<Asset>, _ after: FetchResult<Asset>, _ place: Comment
    ) throws {
        let details = FetchResultChangeDetails(from: before, to: after, changedObjects: before)
        try #require(details.applied().elementsEqual(after), place)
        try #require(details.insertedIndexes?.isDisjoint(with: details.changedIndexes ?? []) == true, place)
    }
}

extension IndexSet {
    func isDisjoint(with other: IndexSet) -> Bool { intersection(other).isEmpty }
}
