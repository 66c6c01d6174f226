import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite struct RandomTreeTests {
    @Test(
        "whatever is done to albums and folders, by positions of now or of long ago, can be saved and loaded",
        arguments: [1, 2, 3, 4] as [UInt64])
    func loadable(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<150 {
            var run = RandomTree(random: random)
            for _ in 0..<(6 + run.random.index(below: 20)) { run.step() }
            #expect(throws: Never.self, "seed \(seed), round \(round): \(run.log)") {
                let loaded = PhotoLibrary(try PhotoLibrary.state(loading: run.library.savedBytes))
                #expect(loaded.walkThrough() == run.library.walkThrough(), "seed \(seed), round \(round): \(run.log)")
            }
            random = run.random
        }
    }
}

/// A library whose albums and folders are edited at random, half of the time by the indexes of an outdated result.
struct RandomTree {
    let library = PhotoLibrary()
    var random: SeededGenerator
    private(set) var log: [String] = []
    private var seenChildren: [(folder: CollectionIdentifier?, children: FetchResult<CollectionItem>)] = []
    private var seenMembers: [(album: CollectionIdentifier, members: FetchResult<Asset>)] = []

    init(random: SeededGenerator) {
        self.random = random
        library.add((0..<8).map { SampleAssets.asset($0) })
    }

    private mutating func below(_ bound: Int) -> Int { random.index(below: max(1, bound)) }

    private mutating func some<Item>(_ items: [Item]) -> Item? { items.isEmpty ? nil : items[below(items.count)] }

    private mutating func asset() -> AssetIdentifier { SampleAssets.identifier(below(8)) }

    mutating func step() {
        let lists = Array(library.fetchCollectionLists())
        let albums = Array(library.fetchAssetCollections(with: .album))
        let folder = below(4) == 0 ? nil : some(lists)
        let children = folder.map { library.fetchCollections(in: $0) } ?? library.fetchTopLevelUserCollections()
        seenChildren.append((folder?.identifier, children))
        if let album = some(albums) { seenMembers.append((album.identifier, library.fetchAssets(in: album))) }
        let before = log.count
        // Edits a copy, because the closure may not capture the mutable `self`.
        var copy = self
        let result = Result {
            try library.performChangesAndWait { changes in
                try copy.edit(&changes, lists.map(\.identifier), albums.map(\.identifier), folder?.identifier, children)
            }
        }
        self = copy
        if case .failure = result { log.removeLast(log.count - before) }
    }

    private mutating func edit(
        _ changes: inout LibraryTransaction, _ folders: [CollectionIdentifier], _ albums: [CollectionIdentifier],
        _ folder: CollectionIdentifier?, _ children: FetchResult<CollectionItem>
    ) throws {
        let isPinned = below(2) == 0
        let (place, seen) = isPinned ? seenChildren[below(seenChildren.count)] : (folder, children)
        let pinned = isPinned ? seen : nil
        let indexes = IndexSet((0...below(2)).map { _ in below(seen.count) })
        let choice = below(14)
        log.append("\(choice)\(isPinned ? " pinned" : "")")
        switch choice {
        case 0, 1: try changes.createFolder(title: "folder", in: folder)
        case 2, 3: try changes.createAlbum(title: "album", in: folder)
        case 4: if let gone = some(folders + albums) { try changes.deleteCollections([gone]) }
        case 5:
            if let one = some(folders + albums), let other = some(folders + albums) {
                try changes.addChildCollections([one, other], to: folder)
            }
        case 6: try changes.moveChildCollections(at: indexes, to: below(seen.count), in: place, pinnedTo: pinned)
        case 7:
            let others = indexes.compactMap { _ in some(folders + albums) }
            try changes.replaceChildCollections(at: indexes, in: place, with: others, pinnedTo: pinned)
        case 8: if let place { try changes.removeChildCollections(at: indexes, from: place, pinnedTo: pinned) }
        case 9:
            guard let child = some(folders + albums) else { return }
            try changes.insertChildCollections([child], into: place, at: [below(seen.count + 1)], pinnedTo: pinned)
        case 10: if let album = some(albums) { try changes.addAssets([asset(), asset(), asset()], to: album) }
        case 11: try editMembers(&changes)
        case 12:
            let asset = asset()
            try changes.edit(asset) { $0.isHidden.toggle() }
        default:
            switch below(3) {
            case 0: try changes.deleteAssets([asset()])
            case 1: try changes.restoreAssets([asset()])
            default: try changes.deleteAssetsPermanently([asset()])
            }
        }
    }

    private mutating func editMembers(_ changes: inout LibraryTransaction) throws {
        guard let (album, seen) = some(seenMembers) else { return }
        let indexes = IndexSet((0...below(2)).map { _ in below(seen.count) })
        switch below(4) {
        case 0: try changes.moveAssets(at: indexes, to: below(seen.count), in: album, pinnedTo: seen)
        case 1: try changes.removeAssets(at: indexes, from: album, pinnedTo: seen)
        case 2:
            let others = indexes.map { _ in asset() }
            try changes.replaceAssets(at: indexes, in: album, with: others, pinnedTo: seen)
        default: try changes.insertAssets([asset()], into: album, at: [below(seen.count + 1)], pinnedTo: seen)
        }
    }
}
