import Dispatch

/// An observer that a photo library calls after each change of the library.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after the library has changed, on a background thread and without holding a lock. Calls for one
    /// registration never overlap. Changes that arrive during a call are joined into one, which the next call reports.
    func photoLibraryDidChange(_ change: LibraryChange)
}
