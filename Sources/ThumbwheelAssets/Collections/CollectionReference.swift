/// A reference to a collection by its identifier: a collection, an identifier, or the placeholder of a collection that is
/// being created.
public protocol CollectionReference: Sendable {
    /// The identifier of the collection.
    var identifier: CollectionIdentifier { get }
}
