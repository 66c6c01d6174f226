import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

/// What the documentation shows, compiled: each part between two marks is a block of `Documentation/Gallery.md`.
struct GalleryFlows {
    struct Row {
        let title: String
        let count: Int
        let cover: Asset?
    }

    let library: PhotoLibrary

    func listAlbums() -> [Row] {
        // begin albums
        let rows = library.fetchAssetCollections(with: .album).map { album in
            Row(
                title: album.localizedTitle ?? "", count: library.countOfAssets(in: album),
                cover: library.fetchKeyAssets(in: album).first)
        }
        // end
        return rows
    }

    func newestFirst(in album: AssetCollection) -> FetchResult<Asset> {
        // begin sorted
        let newestFirst = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
        let assets = library.fetchAssets(in: album, options: newestFirst)
        // end
        return assets
    }

    // begin grid
    struct Grid {
        var assets: FetchResult<Asset>
        var cells: [Asset]
        var reloadedIndexes = IndexSet()

        mutating func apply(_ details: FetchResultChangeDetails<Asset>) {
            assets = details.fetchResultAfterChanges
            guard details.hasIncrementalChanges, let removed = details.removedIndexes,
                let inserted = details.insertedIndexes, let changed = details.changedIndexes
            else {
                cells = Array(assets)
                return
            }
            for index in removed.reversed() { cells.remove(at: index) }
            for (index, asset) in zip(inserted, details.insertedObjects) { cells.insert(asset, at: index) }
            for move in details.moves { cells.insert(cells.remove(at: move.from), at: move.to) }
            for index in changed { cells[index] = assets[index] }
            reloadedIndexes = changed
        }
    }
    // end

    func follow(_ first: Grid, then body: () async throws -> Void) async throws -> Grid {
        var grid = first
        // begin changes
        var changes = library.changes.makeAsyncIterator()
        // end
        try await body()
        // begin observing
        if let change = await changes.next(), let details = change.changeDetails(for: grid.assets) {
            grid.apply(details)
        }
        // end
        return grid
    }

    func toggle(_ asset: Asset) async throws {
        // begin favourite
        try await library.performChanges { changes in
            try changes.edit(asset) { $0.isFavorite.toggle() }
        }
        // end
    }

    func addPicture(at path: String, to album: AssetCollection) async throws {
        // begin adding
        try await library.performChanges { changes in
            let picture = try changes.createAsset(from: [.file(path: path)])
            try changes.addAssets([picture], to: album)
        }
        // end
    }
}
