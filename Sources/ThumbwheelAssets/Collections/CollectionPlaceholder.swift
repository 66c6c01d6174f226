/// A placeholder for an album or a folder that a transaction creates. It can be used in the same transaction and after
/// it.
public struct CollectionPlaceholder: CollectionReference, Hashable {
    /// The identifier that the collection will have.
    public let identifier: CollectionIdentifier

    /// The identifier as text.
    public var localIdentifier: String { identifier.localIdentifier }

    /// Whether `collection` is the collection that this placeholder represents.
    public static func == (placeholder: CollectionPlaceholder, collection: some LibraryCollection) -> Bool {
        placeholder.identifier == collection.identifier
    }
}
