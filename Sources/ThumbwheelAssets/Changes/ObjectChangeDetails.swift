/// The changes of one asset, album or folder.
public struct ObjectChangeDetails<Object: Sendable>: Sendable {
    /// The object that the caller passed, for which the changes were requested.
    public let objectBeforeChanges: Object
    /// The object in its new state; nil if it was deleted for good. An asset in Recently Deleted still exists and is
    /// not nil here.
    public let objectAfterChanges: Object?
    /// Whether the pixels of an asset changed. It is false for albums and folders.
    public let assetContentChanged: Bool
    /// Whether the object was deleted for good.
    public let objectWasDeleted: Bool
}
