import Dispatch

/// Is told when a library can no longer be changed.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Runs on a queue of the observer's own, one call at a time, outside all locks.
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}
