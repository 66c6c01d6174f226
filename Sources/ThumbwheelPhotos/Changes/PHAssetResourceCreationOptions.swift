import Foundation
import Thumbwheel

/// How a file becomes a part of an asset.
public final class PHAssetResourceCreationOptions: NSObject, NSCopying {
    /// The name to record; nil takes the file's own.
    public var originalFilename: String?
    /// The type of the bytes; nil for whatever they are. The block fails if they are of another type.
    public var contentType: ContentType?
    /// Whether the file itself goes into the library's folder, `PHPhotoLibrary.originalsFolder`, instead of staying where it is. It
    /// leaves its old place only when the block has taken place. A file with a second hard link, or that somebody has open for
    /// writing, makes the block fail.
    public var shouldMoveFile = false

    /// The type of the bytes as a media type such as `image/jpeg`.
    public var uniformTypeIdentifier: String? {
        get { contentType?.rawValue }
        set { contentType = newValue.map { ContentType(rawValue: $0) } }
    }

    /// Makes options that take the name of the file.
    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceCreationOptions()
        copy.originalFilename = originalFilename
        copy.contentType = contentType
        copy.shouldMoveFile = shouldMoveFile
        return copy
    }
}
