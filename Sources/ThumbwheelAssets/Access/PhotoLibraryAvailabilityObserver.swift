import Dispatch

/// An observer that is called when a library can no longer be changed.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Called when the library becomes unavailable, and again when the reason for that changes. Calls come on the
    /// observer's own queue, one at a time, while no lock is held.
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}
