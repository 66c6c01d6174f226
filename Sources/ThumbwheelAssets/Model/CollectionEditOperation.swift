/// The operations that a collection may allow.
public enum CollectionEditOperation: Int, Sendable, CaseIterable {
    /// Deleting its members from the library.
    case deleteContent = 1
    /// Taking members out.
    case removeContent = 2
    /// Putting members in.
    case addContent = 3
    /// Making new members.
    case createContent = 4
    /// Changing the order of its members.
    case rearrangeContent = 5
    /// Deleting it.
    case delete = 6
    /// Giving it another title.
    case rename = 7
}
