/// An object whose address tells one library from another.
final class LibraryIdentity: Sendable {}
