import Foundation
import Thumbwheel

/// A list of objects for a change request: an array, an `NSArray` or a fetch result. On Apple's systems this is
/// `NSFastEnumeration`.
public protocol PHObjectList {
    /// The objects of the list, in order. Members of an `NSArray` that are no objects of a library are left out.
    var photoObjects: [PHObject] { get }
}

extension NSArray: PHObjectList {
    public var photoObjects: [PHObject] { compactMap { $0 as? PHObject } }
}

extension Array: PHObjectList where Element: PHObject {
    public var photoObjects: [PHObject] { self }
}

extension PHFetchResult: PHObjectList {
    public var photoObjects: [PHObject] { Array(self) }
}

extension PHObjectList {
    /// The identifiers of the assets in the list.
    var assets: [AssetIdentifier] {
        photoObjects.compactMap { if case .asset(let identifier) = $0.identity { identifier } else { nil } }
    }

    /// The identifiers of the collections in the list.
    var collections: [any CollectionReference] {
        photoObjects.compactMap { if case .collection(let identifier) = $0.identity { identifier } else { nil } }
    }
}
