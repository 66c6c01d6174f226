import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelPipeline
import ThumbwheelRendering

extension StoreKey {
    /// Rises whenever the pixels of some rendition change, or the form in which `StoredImage` writes them.
    private static let renderingVersion = 1

    /// Makes the key of a rendition in a store: a digest of the photograph's bytes, of everything that was asked for, and of all
    /// that made the pixels. Nil if the photograph has no name that other processes know.
    ///
    /// - Parameter usesEmbeddedPreviews: whether the manager makes fast renditions of previews.
    init?(_ key: RenditionKey, of asset: Asset, usesEmbeddedPreviews: Bool) {
        guard let name = asset.contentName(of: key.subject.version) else { return nil }
        let options = key.options
        let crop = options.normalizedCropRect
        let parts: [String] = [
            "\(Self.renderingVersion)", ThumbwheelVersion.current, VipsRuntime.version,
            "\(HEVCDecoders.isInstalled)", name, "\(key.kind)",
            "\(options.targetSize.width)x\(options.targetSize.height)", options.contentMode.rawValue,
            options.resizeMode.rawValue, options.sampling.rawValue,
            crop.map { "\($0.x.bitPattern),\($0.y.bitPattern),\($0.width.bitPattern),\($0.height.bitPattern)" }
                ?? "whole",
            "\(options.isLinear)", "\(options.pixelRange)", "\(options.allowsUpscaling)", "\(usesEmbeddedPreviews)",
            key.encoding?.token ?? "bitmap",
        ]
        let digest = NameDigest(parts.joined(separator: "|")).value
        self.init(high: UInt64(truncatingIfNeeded: digest >> 64), low: UInt64(truncatingIfNeeded: digest))
    }
}
