import ThumbwheelAssets
import ThumbwheelPipeline
import ThumbwheelRendering

extension EntityTag {
    /// Makes the tag of an encoded rendition.
    ///
    /// - Parameter encoders: The versions of the libraries that make the bytes.
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
            ] + encoders)
    }

    /// Makes the tag of an asset's own file.
    package init(ofFileOf asset: Asset, _ version: ImageVersion) {
        self.init(hashing: Self.parts(of: asset, version))
    }

    /// - Parameter version: the version, already resolved for the asset.
    private static func parts(of asset: Asset, _ version: ImageVersion) -> [String] {
        let picture = asset.pictureVersion(of: version)
        // The tag includes the file size, because hosts that do not count versions give all their assets the same content
        // version, even if the picture differs.
        return ["\(asset.localIdentifier)", "\(picture.timeline)", "\(picture.number)", "\(asset.fileSize)"]
            + (version == .current ? [] : [version.rawValue])
    }
}

extension ImageEncoding {
    /// The encoding's token in a tag's digest. Clients keep tags, so a token never changes, even if its case is
    /// renamed.
    fileprivate var token: String {
        switch self {
        case .png: "png"
        case .jpeg(let quality): "jpeg(quality: \(quality))"
        case .webp(let quality): "webp(quality: \(quality))"
        }
    }
}
