import Foundation
import Thumbwheel

/// The article on libraries and changes.
enum LibrarySamples {
    struct BucketObject: ResourceProvider {
        let identifier: String
        let requiresNetwork = true

        init(_ identifier: String) { self.identifier = identifier }

        func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: identifier) }
    }

    static func keep(_ library: PhotoLibrary, from folder: String, and batch: [Asset]) async throws -> PhotoLibrary {
        // begin import
        let report = try await library.importFolder(at: folder)  // another run reads only what has changed
        print(report.added.count, report.changed.count, report.removed.count, report.skipped.count)
        // end
        // begin feed
        try await library.performChanges { try $0.update(with: batch) }  // adds, changes, passes over what is the same
        // end
        // begin save
        try await library.save(to: "/var/lib/photos/library")  // written aside, read back, synced, renamed
        // end
        // begin load
        let loaded = try await PhotoLibrary(loading: "/var/lib/photos/library") { key in BucketObject(key) }
        // end
        return loaded
    }

    static func recover() async throws -> PhotoLibrary {
        // begin recover
        let (library, report) = try await PhotoLibrary.recover(from: "/var/lib/photos/library")
        for loss in report.losses { print(loss.content, loss.byteRange, loss.error) }
        // end
        return library
    }

    static func fetch(from library: PhotoLibrary) throws -> FetchResult<Asset> {
        // begin fetch
        let wide = try FetchOptions(matching: #Predicate { $0.isFavorite && $0.pixelWidth > 4000 })
        let favorites = library.fetchAssets(with: wide)
        let inWords = try AssetPredicate(PredicateFormat("mediaType == %d AND favorite == YES", 1))
        let same = library.fetchAssets(with: FetchOptions(predicate: inWords, fetchLimit: 100))
        // end
        return favorites.isEmpty ? same : favorites
    }

    static func change(_ assets: FetchResult<Asset>, in library: PhotoLibrary) async throws -> CollectionPlaceholder {
        // begin change
        let album = try await library.performChanges { changes in
            let album = try changes.createAlbum(title: "Lakes")
            try changes.addAssets(assets, to: album)
            try changes.editAssets(assets) { $1.isFavorite = true }
            return album
        }
        // end
        return album
    }

    static func observe(_ library: PhotoLibrary, showing assets: FetchResult<Asset>) -> ChangeObservation {
        // begin observe
        let observation = library.observeChanges { change in
            guard let details = change.changeDetails(for: assets) else { return }
            print(details.removedIndexes?.count ?? 0, "gone", details.insertedIndexes?.count ?? 0, "new")
        }
        // end
        return observation
    }

    static func resume(_ library: PhotoLibrary, from token: ChangeToken) throws -> ChangeToken {
        // begin tokens
        var token = token
        for change in try library.fetchPersistentChanges(since: token) {
            print(try change.assetDetails().inserted.count, "new assets")
            token = change.token
        }
        // end
        return token
    }

    // begin policy
    struct Guest: AccessPolicy {
        let shared: Set<AssetIdentifier>
        var access: LibraryAccess { .limited(to: shared) }
        func allows(_ change: ProposedChange) -> Bool { change.deletedAssets.isEmpty }
    }
    // end

    static func view(of library: PhotoLibrary, sharing shared: Set<AssetIdentifier>) -> PhotoLibrary {
        // begin view
        let view = library.view(for: Guest(shared: shared))
        // end
        return view
    }
}
