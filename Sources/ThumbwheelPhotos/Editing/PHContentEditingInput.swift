import Foundation
import Thumbwheel

/// All that an editor needs to edit a photograph.
public final class PHContentEditingInput: NSObject, Sendable {
    /// The input in this library's own spelling.
    public let input: ContentEditingInput

    init(_ input: ContentEditingInput) {
        self.input = input
    }

    /// The kind of the asset.
    public var mediaType: PHAssetMediaType { input.mediaType }
    /// The finer kinds of the asset.
    public var mediaSubtypes: PHAssetMediaSubtype { input.mediaSubtypes }
    /// When the photograph was taken; nil if nobody knows.
    public var creationDate: Date? { input.creationDate }
    /// The place of the photograph; nil if nobody knows.
    public var location: Location? { input.location }
    /// How the asset is shown.
    public var playbackStyle: PHAssetPlaybackStyle { input.playbackStyle }
    /// The type of the file to edit.
    public var contentType: ContentType { input.contentType }
    /// The type of the file to edit, as a media type such as `image/jpeg`.
    public var uniformTypeIdentifier: String? { input.contentType.rawValue }
    /// The recipe of the last edit, if the editor can go on with it.
    public var adjustmentData: PHAdjustmentData? { input.adjustmentData.map { PHAdjustmentData($0) } }
    /// The photograph for the editor's window.
    public var displaySizeImage: PHImage? { PHImage(input.displaySizeImage) }
    /// The file to edit; nil if it lies in memory or elsewhere.
    public var fullSizeImageURL: URL? { input.fullSizeImage.filePath.map { URL(fileURLWithPath: $0) } }
    /// The orientation of the pixels in that file, as EXIF counts.
    public var fullSizeImageOrientation: Int32 { Int32(input.fullSizeImageOrientation.rawValue) }
}
