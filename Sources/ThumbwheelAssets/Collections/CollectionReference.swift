/// A collection, or what stands for one that is being created, where only its identifier counts.
public protocol CollectionReference: Sendable {
    /// The identifier of the collection.
    var identifier: CollectionIdentifier { get }
}
