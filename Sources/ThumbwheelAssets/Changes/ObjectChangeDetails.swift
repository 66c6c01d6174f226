/// The changes of one object.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The very object that was asked about.
    public let objectBeforeChanges: Object
    /// Nil for one that is gone for good. An asset in Recently Deleted is still there, and says so.
    public let objectAfterChanges: Object?
    /// Whether an asset's pixels changed; false for collections.
    public let assetContentChanged: Bool
    /// Whether the object was deleted for good.
    public let objectWasDeleted: Bool
}
