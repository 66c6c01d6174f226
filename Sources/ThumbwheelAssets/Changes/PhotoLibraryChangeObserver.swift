import Dispatch

/// An observer that is called when a library changes.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after the library has changed, on the observer's own queue, one call at a time, outside all locks.
    func photoLibraryDidChange(_ change: LibraryChange)
}
