import Foundation
import Thumbwheel

/// A photograph or video of a library.
public final class PHAsset: PHObject, @unchecked Sendable {
    /// The asset in this library's own spelling.
    public let asset: Asset

    /// Wraps an asset.
    public init(_ asset: Asset) {
        self.asset = asset
        super.init(.asset(asset.identifier))
    }

    /// The kind of the asset.
    public var mediaType: PHAssetMediaType { asset.mediaType }
    /// The finer kinds of the asset.
    public var mediaSubtypes: PHAssetMediaSubtype { asset.mediaSubtypes }
    /// How the asset is shown, whatever its files are.
    public var playbackStyle: PHAssetPlaybackStyle { asset.playbackStyle }
    /// The width of the upright picture in pixels.
    public var pixelWidth: Int { asset.pixelWidth }
    /// The height of the upright picture in pixels.
    public var pixelHeight: Int { asset.pixelHeight }
    /// When the photograph was taken; nil if nobody knows.
    public var creationDate: Date? { asset.creationDate }
    /// When the asset or one of its properties changed last.
    public var modificationDate: Date? { asset.modificationDate }
    /// When the asset was added to the library.
    public var addedDate: Date? { asset.addedDate }
    /// The place of the photograph; nil if nobody knows.
    public var location: Location? { asset.location }
    /// The duration in seconds; 0 for a photograph.
    public var duration: TimeInterval { asset.duration }
    /// Whether the user has marked the asset as a favourite.
    public var isFavorite: Bool { asset.isFavorite }
    /// Whether ordinary fetches leave the asset out.
    public var isHidden: Bool { asset.isHidden }
    /// The burst that the photograph is a member of.
    public var burstIdentifier: String? { asset.burstIdentifier }
    /// Who chose the photograph among those of its burst.
    public var burstSelectionTypes: PHAssetBurstSelectionType { asset.burstSelectionTypes }
    /// Whether the photograph stands for its burst in ordinary fetches.
    public var representsBurst: Bool { asset.representsBurst }
    /// The origin of the asset.
    public var sourceType: PHAssetSourceType { asset.sourceType }
    /// Whether the asset shows a rendering instead of its original.
    public var hasAdjustments: Bool { asset.hasAdjustments }
    /// The format of the recipe that made the rendering; nil for an asset without one.
    public var adjustmentFormatIdentifier: String? { asset.adjustmentFormatIdentifier }
    /// The type of the file that is shown.
    public var contentType: ContentType { asset.contentType }

    /// Whether the asset allows an operation. A change request for one that it does not allow makes its block fail.
    public func canPerform(_ operation: PHAssetEditOperation) -> Bool { asset.canPerform(operation) }
}
