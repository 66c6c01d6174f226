/// An object that identifies a library by its address.
final class LibraryIdentity: Sendable {}
