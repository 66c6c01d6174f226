import Foundation
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// Everything that an editor needs to edit a photograph; see <doc:Semantics#Editing>.
public struct ContentEditingInput: Sendable {
    /// The asset to edit, as it was when the request was made.
    public let asset: Asset
    /// The adjustment data of the last edit, if the editor can continue that edit. In this case, `displaySizeImage` and
    /// `fullSizeImage` show the photograph without that edit. Nil if the asset has no edit that the editor can
    /// continue; the two images then show all edits.
    public let adjustmentData: AdjustmentData?
    /// The photograph to edit, for the editor's window: upright, in sRGB.
    public let displaySizeImage: Bitmap
    /// The file of the photograph to edit.
    public let fullSizeImage: AssetResource
    /// The orientation of the pixels in the file `fullSizeImage`.
    public let fullSizeImageOrientation: ImageOrientation
    /// The type of the file `fullSizeImage`.
    public let contentType: ContentType

    /// The kind of the asset.
    public var mediaType: AssetMediaType { asset.mediaType }
    /// The finer kinds of the asset, such as panorama or screenshot.
    public var mediaSubtypes: AssetMediaSubtype { asset.mediaSubtypes }
    /// When the photograph was taken; nil if that is unknown.
    public var creationDate: Date? { asset.creationDate }
    /// Where the photograph was taken; nil if that is unknown.
    public var location: Location? { asset.location }
    /// How a viewer plays the asset, for example as a still picture, a Live Photo or a video.
    public var playbackStyle: AssetPlaybackStyle { asset.playbackStyle }
}
