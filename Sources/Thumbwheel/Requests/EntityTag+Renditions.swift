import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

extension EntityTag {
    /// Makes the tag of an encoded rendition.
    ///
    /// - Parameter encoders: The versions of the libraries that encode the bytes. They are a part of the tag, because
    ///   other versions may make other bytes.
    package init(
        _ key: RenditionKey, of asset: Asset, usesEmbeddedPreviews: Bool,
        encoders: [String] = [ThumbwheelVersion.current, VipsRuntime.version]
    ) {
        let options = key.options
        let crop = options.normalizedCropRect
        self.init(
            hashing: Self.parts(of: asset, key.subject.version) + [
                "\(options.targetSize.width)x\(options.targetSize.height)", options.contentMode.rawValue,
                options.resizeMode.rawValue, options.quality.rawValue, options.sampling.rawValue,
                crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? "whole", "\(options.isLinear)",
                "\(options.allowsUpscaling)", "\(usesEmbeddedPreviews)",
                key.encoding?.token ?? "bitmap",
            ] + Self.frameParts(of: asset, options) + encoders)
    }

    /// The parts of a tag that identify the frame of a video; empty for other assets.
    private static func frameParts(of asset: Asset, _ options: RenderOptions) -> [String] {
        guard asset.mediaType == .video, VideoDecoders.isInstalled else { return [] }
        return [options.frameTime.map { "frame at \($0)" } ?? "poster"]
    }

    /// Makes the tag of an asset's own file.
    package init(ofFileOf asset: Asset, _ version: ImageVersion) {
        self.init(hashing: Self.parts(of: asset, version))
    }

    /// Makes the tag of a video's bytes, as they were opened. A file may have been replaced since the asset was imported,
    /// so the tag depends on the file that is open.
    init(of movie: Movie, in asset: Asset, _ version: ImageVersion) {
        let file = movie.bytes as? FileByteSource
        self.init(
            hashing: Self.parts(of: asset, version) + ["\(movie.byteCount)"]
                + (file.map { ["\($0.modificationTime)"] } ?? []))
    }

    /// The parts of a tag that identify the picture.
    ///
    /// - Parameter version: the version of the picture, as `Asset.resolved` returns it. If several versions of an asset
    ///   show the same picture, `Asset.resolved` returns the same one for all of them.
    private static func parts(of asset: Asset, _ version: ImageVersion) -> [String] {
        let picture = asset.pictureVersion(of: version)
        // Some programs that use this library give an asset the same content version even after its picture has
        // changed. So the tag includes the file size, which probably differs then.
        return ["\(asset.localIdentifier)", "\(picture.timeline)", "\(picture.number)", "\(asset.fileSize)"]
            + (version == .current ? [] : [version.rawValue])
    }
}

extension ImageEncoding {
    /// The text that stands for the encoding when a tag is computed. Clients store tags, so this text never changes,
    /// even if the encoding's case is renamed.
    var token: String {
        switch self {
        case .png: "png"
        case .jpeg(let quality): "jpeg(quality: \(quality))"
        case .webp(let quality): "webp(quality: \(quality))"
        case .avif(let quality): "avif(quality: \(quality))"
        }
    }
}
