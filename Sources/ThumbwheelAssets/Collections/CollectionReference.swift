/// A value that names a collection: the collection itself, its identifier, or the placeholder of a collection that is
/// being created.
public protocol CollectionReference: Sendable {
    /// The identifier of the collection.
    var identifier: CollectionIdentifier { get }
}
