import Foundation
import Thumbwheel

/// The change of one object.
///
/// Unchecked sendability: the details have constants only.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    /// The object as it was.
    public let objectBeforeChanges: ObjectType
    /// The object as it is; nil if it was deleted.
    public let objectAfterChanges: ObjectType?
    /// Whether the pixels have changed.
    public let assetContentChanged: Bool
    /// Whether the object was deleted.
    public let objectWasDeleted: Bool

    init<Value>(_ before: ObjectType, _ details: ObjectChangeDetails<Value>, _ wrap: (Value) -> ObjectType) {
        objectBeforeChanges = before
        objectAfterChanges = details.objectAfterChanges.map(wrap)
        assetContentChanged = details.assetContentChanged
        objectWasDeleted = details.objectWasDeleted
    }
}
