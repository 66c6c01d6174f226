import Dispatch

/// An observer that is called when a library can no longer be changed.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Called when the library becomes unavailable, on the observer's own queue, one call at a time, outside all locks.
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}
