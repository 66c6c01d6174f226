import Foundation
import Thumbwheel

/// The purpose that a resource's bytes serve, with PhotoKit's numbers.
public typealias PHAssetResourceType = AssetResourceType

/// The bytes of a file that belongs to an asset: what they are for, and how they are called.
public final class PHAssetResource: NSObject, Sendable {
    /// The resource in this library's own spelling.
    public let resource: AssetResource
    /// The asset that the bytes belong to.
    public let assetLocalIdentifier: String

    private init(_ resource: AssetResource, of asset: PHAsset) {
        self.resource = resource
        assetLocalIdentifier = asset.localIdentifier
    }

    /// The resources of an asset. No file is opened.
    public static func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        AssetResource.assetResources(for: asset.asset).map { PHAssetResource($0, of: asset) }
    }

    /// The purpose of the bytes.
    public var type: PHAssetResourceType { resource.type }
    /// The name of the file, without its folder.
    public var originalFilename: String { resource.originalFilename ?? "" }
    /// The type of the bytes; nil if nobody knows.
    public var contentType: ContentType? { resource.contentType }
    /// The width of the upright picture in pixels; 0 if nobody knows without opening the file.
    public var pixelWidth: Int { resource.pixelSize?.width ?? 0 }
    /// The height of the upright picture in pixels; 0 if nobody knows without opening the file.
    public var pixelHeight: Int { resource.pixelSize?.height ?? 0 }
    /// The type of the bytes, as a media type such as `image/jpeg`; empty if nobody knows.
    public var uniformTypeIdentifier: String { resource.contentType?.rawValue ?? "" }

    public override func isEqual(_ object: Any?) -> Bool { (object as? PHAssetResource)?.resource == resource }

    public override var hash: Int { resource.hashValue }
}
