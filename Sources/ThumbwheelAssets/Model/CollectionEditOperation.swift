/// The operations that a collection may allow.
public enum CollectionEditOperation: Int, Sendable, CaseIterable {
    /// Deleting the assets in the collection from the library.
    case deleteContent = 1
    /// Removing members from the collection.
    case removeContent = 2
    /// Adding members to the collection.
    case addContent = 3
    /// Creating new members in the collection.
    case createContent = 4
    /// Changing the order of the collection's members.
    case rearrangeContent = 5
    /// Deleting the collection.
    case delete = 6
    /// Changing the collection's title.
    case rename = 7
}
