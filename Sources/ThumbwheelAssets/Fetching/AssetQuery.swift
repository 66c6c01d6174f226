import Foundation

/// The query of a fetch of assets. The result keeps it, so that changes can be computed by repeating the fetch.
struct AssetQuery: Sendable {
    enum Source: Sendable {
        case library
        case burst(String)
        case identifiers([AssetIdentifier])
        case album(CollectionIdentifier)
        /// Assets that satisfy a test, such as a smart album's.
        case matching(any RowTest, Scope)
    }

    /// The kinds of assets that a fetch includes only if asked to: hidden assets and Recently Deleted.
    struct Scope: Sendable {
        var includesHidden = false
        var isTrash = false
    }

    var source: Source
    var options: FetchOptions
    var view: AccessView

    /// Whether the result is in the order of the library's rows or of a sort, so that single rows can be looked up in it.
    var isOrderedByRows: Bool {
        switch source {
        case .library, .burst, .matching: true
        case .identifiers, .album: !options.sortDescriptors.isEmpty
        }
    }

    func replacing(_ options: FetchOptions) -> AssetQuery {
        AssetQuery(source: source, options: options, view: view)
    }
}
