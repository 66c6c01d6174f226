import Foundation

/// The query of a fetch of assets. The result keeps it, so that changes can be computed by repeating the fetch.
struct AssetQuery: Sendable {
    enum Source: Sendable {
        case library
        case burst(String)
        /// These assets whatever they are.
        case identifiers([AssetIdentifier])
        /// The assets of a list, as the members of a collection; the options may leave some out.
        case members([AssetIdentifier])
        case album(CollectionIdentifier)
        /// Assets that satisfy a test, such as a smart album's.
        case matching(any RowTest, Scope)
    }

    /// Two choices of a fetch: whether it finds hidden assets too, and whether it finds the assets in Recently Deleted
    /// or all others.
    struct Scope: Sendable {
        var includesHidden = false
        var isTrash = false
    }

    var source: Source
    var options: FetchOptions
    var view: AccessView
    /// The view that made the fetch; nil for a query of the library's own.
    var viewer: LibraryViewer?

    /// Whether the rows of the result are in the order of row numbers or of sort keys, so that a binary search finds a
    /// row. Lists of identifiers and albums have an order of their own unless they are sorted.
    var isOrderedByRows: Bool {
        switch source {
        case .library, .burst, .matching: true
        case .identifiers, .members, .album: !options.sortDescriptors.isEmpty
        }
    }

    func replacing(_ options: FetchOptions) -> AssetQuery {
        AssetQuery(source: source, options: options, view: view, viewer: viewer)
    }
}
