import ThumbwheelAssets
import ThumbwheelRendering

/// A strong validator (RFC 9110, 8.8.1) of an image's bytes: equal tags, equal bytes.
///
/// It is known before the image is made, so that a service can answer `304 Not Modified` without rendering. It changes with
/// the picture's version, with what was asked for, and with the versions of what encodes; not with the process, where a library
/// is saved and loaded: one that is filled anew each time has other versions each time.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// As the header `ETag` has it, quotation marks included.
    public let description: String

    private init(hashing parts: [String]) {
        let digits = String(NameDigest(parts.joined(separator: "|")).value, radix: 36)
        description = "\"\(digits)\""
    }

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
        // The size as well: hosts that never count give their own assets one version, whatever they show.
        return ["\(asset.localIdentifier)", "\(picture.timeline)", "\(picture.number)", "\(asset.fileSize)"]
            + (version == .current ? [] : [version.rawValue])
    }
}
