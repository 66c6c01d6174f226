import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// The key of a rendition, in the cache and among the jobs. It names the picture (an asset in one state of its edits)
/// and the way in which the rendition is made from it.
package struct RenditionKey: Hashable, Sendable {
    /// The picture that an asset shows at one point of its history. Each edit makes another subject, so a rendition
    /// made before an edit is never delivered after it.
    package struct Subject: Hashable, Sendable {
        package var asset: AssetIdentifier
        package var picture: PictureVersion
        /// The version of the image. Versions that show the same picture are replaced by one of them
        /// (`Asset.resolved`), so that one picture has only one subject.
        package var version: ImageVersion

        package init(asset: AssetIdentifier, picture: PictureVersion, version: ImageVersion = .current) {
            self.asset = asset
            self.picture = picture
            self.version = version
        }

        /// Makes the subject for an asset that is in no library. The program that uses this library counts the versions
        /// of such an asset's contents.
        package init(asset: AssetIdentifier, contentVersion: UInt32, version: ImageVersion = .current) {
            self.init(asset: asset, picture: PictureVersion(contentVersion: contentVersion), version: version)
        }

        /// The content version of an asset outside any library, as given by the program that uses this library. For
        /// other assets, the number has no meaning.
        package var contentVersion: UInt32 { UInt32(truncatingIfNeeded: picture.number) }

        /// Hashes the properties that tell most subjects apart. The other properties are compared only by `==`.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(asset)
            hasher.combine(picture.number)
        }
    }

    package enum Kind: Int, Sendable {
        /// A degraded image, made from the preview embedded in the file or from the photograph's local proxy (a small
        /// local copy).
        case preview
        /// The final rendition of `.fast` requests.
        case fast
        /// The final rendition of requests with a delivery mode other than `.fast`. Requests for an asset's own file
        /// have the kind `original`.
        case high
        /// The asset's own file, unchanged.
        case original
    }

    package var subject: Subject
    package var kind: Kind
    /// The options of the rendition. Their quality is always set from `kind`, so that one rendition has only one key.
    package private(set) var options: RenderOptions
    /// The file format in which the rendition is encoded; nil for pixels.
    package private(set) var encoding: ImageEncoding?

    package init(subject: Subject, kind: Kind, options: RenderOptions, encoding: ImageEncoding? = nil) {
        self.subject = subject
        self.kind = kind
        self.options = options
        self.options.quality = kind == .high ? .high : .fast
        self.encoding = encoding
    }

    /// The key with another kind; all else stays the same.
    package func with(_ kind: Kind) -> RenditionKey {
        RenditionKey(subject: subject, kind: kind, options: options, encoding: encoding)
    }

    /// The key of another rendition that answers requests for this rendition; nil if there is none. An encoded
    /// rendition has no such substitute, because its entity tag promises exactly its own bytes.
    package var substituteKey: RenditionKey? { kind == .fast && encoding == nil ? with(.high) : nil }

    /// The key of the pixels from which an encoded rendition is made.
    package var unencoded: RenditionKey { RenditionKey(subject: subject, kind: kind, options: options) }

    /// Hashes the properties that callers choose freely, so that callers cannot provoke collisions. Most properties
    /// with only a few values are compared only by `==`. So a typical key hashes as only two words. This saves time,
    /// because a request hashes its key about a dozen times.
    package func hash(into hasher: inout Hasher) {
        combine(Int(truncatingIfNeeded: subject.picture.number), into: &hasher)
    }

    /// A hash of the key without two parts of its subject: `picture` (the state of the asset's edits) and `version`
    /// (such as original or current). The images that caching managers want are found by this hash, and then compared
    /// by `matches`, `matchesIgnoringVersion` or `matchesIgnoringPicture` of `CompactKey`.
    package var hashIgnoringPicture: Int {
        var hasher = Hasher()
        combine(0, into: &hasher)
        return hasher.finalize()
    }

    private func combine(_ number: Int, into hasher: inout Hasher) {
        hasher.combine(subject.asset)
        let size = options.targetSize
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
