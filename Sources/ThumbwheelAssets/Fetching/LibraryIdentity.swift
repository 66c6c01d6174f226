/// An object whose address identifies a library.
final class LibraryIdentity: Sendable {}
