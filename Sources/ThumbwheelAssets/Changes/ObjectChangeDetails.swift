/// The changes of one object.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The object whose changes were asked for, as it was passed in.
    public let objectBeforeChanges: Object
    /// The object in its new state; nil if it was deleted for good. An asset in Recently Deleted still exists and is
    /// marked as deleted.
    public let objectAfterChanges: Object?
    /// Whether an asset's pixels changed; false for collections.
    public let assetContentChanged: Bool
    /// Whether the object was deleted for good.
    public let objectWasDeleted: Bool
}
