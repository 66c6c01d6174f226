import Foundation

/// How a file becomes a part of an asset.
public final class PHAssetResourceCreationOptions: NSObject {
    /// The name to record; nil takes the file's own.
    public var originalFilename: String?

    /// Makes options that take the name of the file.
    public override init() {}
}
