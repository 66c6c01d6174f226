import Dispatch

/// An observer that a library calls when it has changed.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after the library has changed. Each observer is called on a queue of its own, one call at a time, while
    /// no lock is held.
    func photoLibraryDidChange(_ change: LibraryChange)
}
