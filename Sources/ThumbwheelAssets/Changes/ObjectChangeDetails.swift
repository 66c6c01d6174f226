/// The changes of one asset, album or folder.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The object before the changes, as it was passed to the function that returned these details.
    public let objectBeforeChanges: Object
    /// The object in its new state; nil if it was deleted for good. For an asset in Recently Deleted it is not nil,
    /// because the asset still exists.
    public let objectAfterChanges: Object?
    /// Whether the pixels of an asset changed. It is false for albums and folders.
    public let assetContentChanged: Bool
    /// Whether the object was deleted for good.
    public let objectWasDeleted: Bool
}
