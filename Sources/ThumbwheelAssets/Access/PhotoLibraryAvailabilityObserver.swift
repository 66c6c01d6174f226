import Dispatch

/// An observer that a library calls when the library can no longer be changed.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Called when the library becomes unavailable, and again when the reason for that changes. The library calls this
    /// method on a background thread, and holds no lock meanwhile. Calls of the same observer do not overlap.
    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}
