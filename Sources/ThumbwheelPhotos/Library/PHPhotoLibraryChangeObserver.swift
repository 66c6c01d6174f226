import Foundation

/// What is told of a library's changes, on an arbitrary serial queue.
public protocol PHPhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Called after each change, or after several that came close together.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
