import Foundation

/// What a fetch asked for: kept by its result, so that a change can be told in its terms.
struct AssetQuery: Sendable {
    enum Source: Sendable {
        case library
        case burst(String)
        case identifiers([AssetIdentifier])
        case album(CollectionIdentifier)
        /// Assets that satisfy a test, such as a smart album's.
        case matching(any RowTest, Scope)
    }

    /// What is left out of a fetch unless it is asked for.
    struct Scope: Sendable {
        var includesHidden = false
        var isTrash = false
    }

    var source: Source
    var options: FetchOptions
    var view: AccessView

    /// Whether the order is that of the library's rows, or of a sort: where single rows can be looked up.
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
