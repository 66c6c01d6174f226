import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// A rendition's key in compact form, with a tenth of the bytes of `RenditionKey`. It lacks the asset's identifier,
/// because each table row that stores a compact key also stores the asset.
struct CompactKey: Sendable {
    private let pictureNumber: UInt64
    let form: RenditionForm

    init(_ key: RenditionKey, in form: RenditionForm) {
        pictureNumber = key.subject.picture.number
        self.form = form
    }

    private init(_ pictureNumber: UInt64, _ form: RenditionForm) {
        self.pictureNumber = pictureNumber
        self.form = form
    }

    /// The key of another rendition of the same picture.
    func with(_ form: RenditionForm) -> CompactKey { CompactKey(pictureNumber, form) }

    /// A placeholder key that belongs to no rendition.
    static let vacant: CompactKey = {
        let subject = RenditionKey.Subject(asset: AssetIdentifier(high: 0, low: 0), contentVersion: 0)
        let key = RenditionKey(subject: subject, kind: .original, options: RenderOptions(targetSize: .maximum))
        return CompactKey(key, in: RenditionForm(of: key))
    }()

    /// Returns the whole key.
    ///
    /// - Parameter asset: the identifier of the asset in the key that the compact key was made from.
    func key(of asset: AssetIdentifier) -> RenditionKey {
        let picture = PictureVersion(timeline: form.timeline, number: pictureNumber)
        return RenditionKey(
            subject: RenditionKey.Subject(asset: asset, picture: picture, version: form.version), kind: form.kind,
            options: form.options, encoding: form.encoding)
    }

    /// Whether the compact key is equal to a key in all parts but the asset.
    func matches(_ key: RenditionKey) -> Bool {
        pictureNumber == key.subject.picture.number && form.matches(key)
    }

    /// Whether this key and `key` ask for the same image version, such as the original, rendered in the same way. Their
    /// pictures may differ, because the asset may have been edited after one of the keys was made. By this comparison,
    /// a caching window finds an image that it wanted before the edit.
    ///
    /// - Precondition: both keys are of the same asset.
    func matchesIgnoringPicture(_ key: RenditionKey) -> Bool { form.matchesIgnoringPicture(key) }

    /// Whether this key and `key` are of the same picture (the pixels that the asset shows after a certain edit),
    /// rendered in the same way. Their image versions may differ. For example, the same picture is the `current`
    /// version before the asset's first edit, and the `original` version after it.
    ///
    /// - Precondition: both keys are of the same asset.
    func matchesIgnoringVersion(_ key: RenditionKey) -> Bool {
        pictureNumber == key.subject.picture.number && form.matchesIgnoringVersion(key)
    }

    /// Whether this key and `other` are of the same picture, so that one decode may make both renditions. Both keys
    /// must be of one asset.
    func isOfSamePicture(as other: CompactKey) -> Bool {
        pictureNumber == other.pictureNumber && form.version == other.form.version
            && form.timeline == other.form.timeline
    }
}
