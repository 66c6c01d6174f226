import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelPipeline
import ThumbwheelRendering

extension StoreKey {
    /// The version of the stored pixels, which is a part of every key. It has to be raised whenever the library makes
    /// other pixels for the same options, or whenever `StoredImage` gets another format, so that older entries of a
    /// store are not found any more.
    private static let renderingVersion = 3

    /// Makes the key of a rendition in a store: a digest of the photograph's content name, of all options, and of the
    /// versions of the code that makes the pixels. A content name is a name for the contents of the photograph's file,
    /// and is the same in all processes. If the photograph has no content name, the result is nil.
    ///
    /// - Parameters:
    ///   - usesEmbeddedPreviews: whether the manager may make images for `.fast` requests from embedded previews. The
    ///     setting changes the pixels of these images, so it is a part of the key.
    ///   - isShared: whether the key is for a store that several servers share. If so, the key of an imported file
    ///     contains the file's name in place of its device and inode numbers, which differ from server to server.
    ///   - decoders: the versions of the libraries that decode.
    init?(
        _ key: RenditionKey, of asset: Asset, usesEmbeddedPreviews: Bool, isShared: Bool = false,
        decoders: String = DecoderVersions.all
    ) {
        guard let name = asset.contentName(of: key.subject.version, isShared: isShared) else { return nil }
        let options = key.options
        let crop = options.normalizedCropRect
        var parts: [String] = [
            "\(Self.renderingVersion)", ThumbwheelVersion.current, VipsRuntime.version,
            decoders, name, "\(key.kind)",
            "\(options.targetSize.width)x\(options.targetSize.height)", options.contentMode.rawValue,
            options.resizeMode.rawValue, options.sampling.rawValue,
            crop.map { "\($0.x.bitPattern),\($0.y.bitPattern),\($0.width.bitPattern),\($0.height.bitPattern)" }
                ?? "whole",
            "\(options.isLinear)", "\(options.pixelRange)", "\(options.allowsUpscaling)", "\(usesEmbeddedPreviews)",
            key.encoding?.token ?? "bitmap",
        ]
        if asset.mediaType == .video {
            parts.append(VideoDecoders.isInstalled ? options.frameTime.map { "\($0.bitPattern)" } ?? "poster" : "cover")
        }
        let digest = NameDigest(parts.joined(separator: "|")).value
        self.init(high: UInt64(truncatingIfNeeded: digest >> 64), low: UInt64(truncatingIfNeeded: digest))
    }
}
