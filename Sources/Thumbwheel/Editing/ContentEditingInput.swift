import Foundation
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// All that an editor needs to edit a photograph; see <doc:Semantics#Editing>.
public struct ContentEditingInput: Sendable {
    /// The asset to edit, as it was at the request.
    public let asset: Asset
    /// The recipe of the last edit, if the editor can go on with it: the images of the input then do not show that edit. Nil
    /// for an asset without edits, and if the images show all edits.
    public let adjustmentData: AdjustmentData?
    /// The photograph to edit, for the editor's window: upright, in sRGB.
    public let displaySizeImage: Bitmap
    /// The file of the photograph to edit.
    public let fullSizeImage: AssetResource
    /// The orientation of the pixels in that file.
    public let fullSizeImageOrientation: ImageOrientation
    /// The type of that file.
    public let contentType: ContentType

    /// The kind of the asset.
    public var mediaType: AssetMediaType { asset.mediaType }
    /// The finer kinds of the asset.
    public var mediaSubtypes: AssetMediaSubtype { asset.mediaSubtypes }
    /// When the photograph was taken; nil if that is unknown.
    public var creationDate: Date? { asset.creationDate }
    /// Where the photograph was taken; nil if that is unknown.
    public var location: Location? { asset.location }
    /// The way to play the asset.
    public var playbackStyle: AssetPlaybackStyle { asset.playbackStyle }
}
