import Dispatch

/// An observer that a library calls when it has changed.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after the library has changed. Each observer is called on threads of the library, one call at a time,
    /// while no lock is held.
    func photoLibraryDidChange(_ change: LibraryChange)
}
