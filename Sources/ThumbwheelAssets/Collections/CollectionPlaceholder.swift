/// A placeholder for a collection that a transaction creates, usable within the same transaction and after it.
public struct CollectionPlaceholder: CollectionReference, Hashable {
    /// The identifier that the collection will have.
    public let identifier: CollectionIdentifier

    /// The identifier as text.
    public var localIdentifier: String { identifier.localIdentifier }

    /// Whether `collection` is the collection that the placeholder stands for.
    public static func == (placeholder: CollectionPlaceholder, collection: some LibraryCollection) -> Bool {
        placeholder.identifier == collection.identifier
    }
}
