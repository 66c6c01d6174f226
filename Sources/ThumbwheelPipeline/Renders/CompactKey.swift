import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

/// A rendition's key in compact form, with a fifth of the bytes of `RenditionKey`.
struct CompactKey: Sendable {
    let asset: AssetIdentifier
    private let pictureNumber: UInt64
    let form: RenditionForm

    init(_ key: RenditionKey, in form: RenditionForm) {
        asset = key.subject.asset
        pictureNumber = key.subject.picture.number
        self.form = form
    }

    private init(_ asset: AssetIdentifier, _ pictureNumber: UInt64, _ form: RenditionForm) {
        self.asset = asset
        self.pictureNumber = pictureNumber
        self.form = form
    }

    /// The key of another rendition of the same picture.
    func with(_ form: RenditionForm) -> CompactKey { CompactKey(asset, pictureNumber, form) }

    /// A placeholder key that belongs to no rendition.
    static let vacant: CompactKey = {
        let subject = RenditionKey.Subject(asset: AssetIdentifier(high: 0, low: 0), contentVersion: 0)
        let key = RenditionKey(subject: subject, kind: .original, options: RenderOptions(targetSize: .maximum))
        return CompactKey(key, in: RenditionForm(of: key))
    }()

    var key: RenditionKey {
        let picture = PictureVersion(timeline: form.timeline, number: pictureNumber)
        return RenditionKey(
            subject: RenditionKey.Subject(asset: asset, picture: picture, version: form.version), kind: form.kind,
            options: form.options, encoding: form.encoding)
    }

    func isKey(_ key: RenditionKey) -> Bool {
        asset == key.subject.asset && pictureNumber == key.subject.picture.number && form.isForm(of: key)
    }

    /// Returns whether the two keys are the same wish of a host: the same version of the same asset, rendered alike. The
    /// pictures may differ, because the asset may have been edited between the two wishes.
    func isWish(of key: RenditionKey) -> Bool { asset == key.subject.asset && form.isWish(of: key) }

    /// Returns whether the two keys are for the same picture, rendered alike. The versions may differ. Before an asset
    /// is edited, for example, its original is its current version.
    func isPicture(of key: RenditionKey) -> Bool {
        asset == key.subject.asset && pictureNumber == key.subject.picture.number && form.isPicture(of: key)
    }

    func isOfSameSubject(as other: CompactKey) -> Bool {
        asset == other.asset && pictureNumber == other.pictureNumber && form.version == other.form.version
            && form.timeline == other.form.timeline
    }
}
