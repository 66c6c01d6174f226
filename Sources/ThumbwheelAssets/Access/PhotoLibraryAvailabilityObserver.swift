import Dispatch

/// An observer that a library calls when the library can no longer be changed.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Called when the library becomes unavailable, and again when the reason for that changes. Each observer is called
    /// on threads of the library, one call at a time, while no lock is held.
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}
