/// What is told when a library can no longer be changed, on an arbitrary serial queue.
public protocol PHPhotoLibraryAvailabilityObserver: AnyObject, Sendable {
    /// Called when the library becomes unavailable, and again when the reason for that changes; `unavailabilityReason` tells the
    /// reason.
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}
