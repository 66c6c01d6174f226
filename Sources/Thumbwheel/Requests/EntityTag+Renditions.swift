import ThumbwheelAssets
import ThumbwheelPipeline
import ThumbwheelRendering

extension EntityTag {
    /// Of an encoded rendition.
    init(_ key: RenditionKey, of asset: Asset, usesEmbeddedPreviews: Bool) {
        let options = key.options
        let crop = options.normalizedCropRect
        self.init(
            hashing: Self.parts(of: asset, key.subject.version) + [
                "\(options.targetSize.width)x\(options.targetSize.height)", options.contentMode.rawValue,
                options.resizeMode.rawValue, options.quality.rawValue, options.sampling.rawValue,
                crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? "whole", "\(options.isLinear)",
                "\(options.allowsUpscaling)", "\(usesEmbeddedPreviews)",
                key.encoding.map { "\($0)" } ?? "bitmap", ThumbwheelVersion.current,
                VipsRuntime.version,
            ])
    }

    /// Of an asset's own file.
    init(ofFileOf asset: Asset, _ version: ImageVersion) {
        self.init(hashing: Self.parts(of: asset, version))
    }

    /// - Parameter version: resolved.
    private static func parts(of asset: Asset, _ version: ImageVersion) -> [String] {
        let picture = asset.pictureVersion(of: version)
        // Includes the file size: hosts that never count give all their own assets one content version, whatever they
        // show.
        return ["\(asset.localIdentifier)", "\(picture.timeline)", "\(picture.number)", "\(asset.fileSize)"]
            + (version == .current ? [] : [version.rawValue])
    }
}
