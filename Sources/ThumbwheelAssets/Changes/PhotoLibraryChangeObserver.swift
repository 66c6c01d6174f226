import Dispatch

/// An observer that is called when a library changes.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after the library has changed. Calls come on the observer's own queue, one at a time, while no lock is
    /// held.
    func photoLibraryDidChange(_ change: LibraryChange)
}
