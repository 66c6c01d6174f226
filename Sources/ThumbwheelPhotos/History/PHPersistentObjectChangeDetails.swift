import Foundation
import Thumbwheel

/// What a block of changes did to the objects of one class, by their local identifiers.
public final class PHPersistentObjectChangeDetails: NSObject, Sendable {
    /// The class of the objects.
    public let objectType: PHObjectType
    /// The objects that were made.
    public let insertedLocalIdentifiers: Set<String>
    /// The objects whose properties, pixels or members changed.
    public let updatedLocalIdentifiers: Set<String>
    /// The objects that were deleted for good.
    public let deletedLocalIdentifiers: Set<String>

    init<Identifier>(
        _ type: PHObjectType, _ details: PersistentChange.Details<Identifier>, _ text: (Identifier) -> String
    ) {
        objectType = type
        insertedLocalIdentifiers = Set(details.inserted.map(text))
        updatedLocalIdentifiers = Set(details.updated.map(text))
        deletedLocalIdentifiers = Set(details.deleted.map(text))
    }
}
