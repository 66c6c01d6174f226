import Dispatch

/// Is told when a library changes.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Runs on a queue of the observer's own, one call at a time, outside all locks.
    func photoLibraryDidChange(_ change: LibraryChange)
}
