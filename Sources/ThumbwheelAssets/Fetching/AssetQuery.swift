import Foundation

/// The query of a fetch of assets. The fetch result stores the query, so that the fetch can be repeated to find
/// changes.
struct AssetQuery: Sendable {
    enum Source: Sendable {
        case library
        case burst(String)
        /// The assets with these identifiers. Hidden assets are included, and so are the members of bursts that other
        /// fetches leave out.
        case identifiers([AssetIdentifier])
        /// The members of a collection that exists only in memory, by their identifiers. As in an album, hidden assets
        /// and most members of a burst are left out unless the fetch options include them.
        case members([AssetIdentifier])
        case album(CollectionIdentifier)
        /// The assets that pass a test, such as the test of a smart album.
        case matching(any RowTest, Scope)
    }

    /// Two properties of a fetch: whether it finds hidden assets, and whether it finds only the assets in Recently
    /// Deleted or only the assets outside it.
    struct Scope: Sendable {
        var includesHidden = false
        var isTrash = false
    }

    var source: Source
    var options: FetchOptions
    var view: AccessView
    /// The view of the library (the library as one user may see it) from which the assets were fetched; nil for a query
    /// that the library itself makes.
    var viewer: LibraryViewer?

    /// Whether the result is sorted: by row numbers, which is the order of import, or by the sort descriptors of the
    /// options. In a sorted result, a binary search can find the position of a row by comparing rows. A result is not
    /// sorted if it shows an album or a list of identifiers without sort descriptors.
    var isSorted: Bool {
        switch source {
        case .library, .burst, .matching: true
        case .identifiers, .members, .album: !options.sortDescriptors.isEmpty
        }
    }

    func replacing(_ options: FetchOptions) -> AssetQuery {
        AssetQuery(source: source, options: options, view: view, viewer: viewer)
    }
}
