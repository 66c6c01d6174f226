import Foundation

/// Describes a fetch of assets: where it searches, its options, and the user's view of the library. The fetch result
/// stores the query, so that the fetch can be repeated to find changes.
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
        /// All assets in the scope whose properties pass a test, such as the condition of a smart album.
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

    /// Whether the result is sorted: by the sort descriptors of the options, or by row numbers (the order of import) if
    /// there are none. In a sorted result, a binary search can find the position of a row by comparing rows.
    ///
    /// The result is not sorted if it shows an album or a list of identifiers without sort descriptors, because their
    /// order is given from outside.
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
