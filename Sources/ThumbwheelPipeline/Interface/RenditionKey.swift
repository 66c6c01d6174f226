import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// What the cache and the jobs are keyed by: which pixels, of which asset, made how.
package struct RenditionKey: Hashable, Sendable {
    /// The pixels of an asset at one point of its history: a change of content is another subject, so what was made
    /// before is never served after.
    package struct Subject: Hashable, Sendable {
        package var asset: AssetIdentifier
        package var picture: PictureVersion
        /// Resolved: one picture has one subject.
        package var version: ImageVersion

        package init(asset: AssetIdentifier, picture: PictureVersion, version: ImageVersion = .current) {
            self.asset = asset
            self.picture = picture
            self.version = version
        }

        /// Names a picture of an asset outside any library, by its host's content version.
        package init(asset: AssetIdentifier, contentVersion: UInt32, version: ImageVersion = .current) {
            self.init(asset: asset, picture: PictureVersion(contentVersion: contentVersion), version: version)
        }

        /// The host's content version, for an asset outside any library.
        package var contentVersion: UInt32 { UInt32(truncatingIfNeeded: picture.number) }

        /// What tells most subjects apart; the rest is left to `==`.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(asset)
            hasher.combine(picture.number)
        }
    }

    package enum Kind: Int, Sendable {
        /// Made from the preview embedded in the file.
        case preview
        /// Final for `.fast` requests.
        case fast
        /// Final for all others.
        case high
        /// The bytes of the file, as they are.
        case original
    }

    package var subject: Subject
    package var kind: Kind
    /// Their quality is that of `kind`: one rendition has one key.
    package private(set) var options: RenderOptions
    /// Nil for pixels; else the file format that they are written in.
    package private(set) var encoding: ImageEncoding?

    package init(subject: Subject, kind: Kind, options: RenderOptions, encoding: ImageEncoding? = nil) {
        self.subject = subject
        self.kind = kind
        self.options = options
        self.options.quality = kind == .high ? .high : .fast
        self.encoding = encoding
    }

    /// The same rendition in another kind.
    package func with(_ kind: Kind) -> RenditionKey {
        RenditionKey(subject: subject, kind: kind, options: options, encoding: encoding)
    }

    /// The pixels of an encoded rendition.
    package var unencoded: RenditionKey { RenditionKey(subject: subject, kind: kind, options: options) }

    /// Hashes everything that callers choose freely, so that nobody can choose keys that collide. Properties with only
    /// a few values are left to `==`. Most keys take two words, because a request looks its key up a dozen times.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(subject.asset)
        let size = options.targetSize
        let number = Int(truncatingIfNeeded: subject.picture.number)
        if (0..<1 << 15).contains(size.width), (0..<1 << 15).contains(size.height) {
            hasher.combine(number << 32 ^ number >> 32 ^ size.width << 17 ^ size.height << 2 ^ kind.rawValue)
        } else {
            hasher.combine(number << 2 ^ kind.rawValue)
            hasher.combine(size.width)
            hasher.combine(size.height)
        }
        if let crop = options.normalizedCropRect { hasher.combine(crop) }
        if let encoding { hasher.combine(encoding) }
    }
}
