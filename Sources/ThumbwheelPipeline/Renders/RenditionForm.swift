import ThumbwheelAssets
import ThumbwheelRendering

/// All of a rendition's key but the picture's asset and number. Keys that wait in thousands usually have one form in common,
/// and share it.
final class RenditionForm: Sendable {
    let timeline: UInt64
    let version: ImageVersion
    let kind: RenditionKey.Kind
    let options: RenderOptions
    let encoding: ImageEncoding?

    init(of key: RenditionKey) {
        timeline = key.subject.picture.timeline
        version = key.subject.version
        kind = key.kind
        options = key.options
        encoding = key.encoding
    }

    func isForm(of key: RenditionKey) -> Bool {
        kind == key.kind && options == key.options && encoding == key.encoding && version == key.subject.version
            && timeline == key.subject.picture.timeline
    }
}

/// A rendition's key in a fifth of its bytes.
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

    /// Another rendition of the same picture.
    func with(_ form: RenditionForm) -> CompactKey { CompactKey(asset, pictureNumber, form) }

    /// The key of no rendition.
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

    func isOfSameSubject(as other: CompactKey) -> Bool {
        asset == other.asset && pictureNumber == other.pictureNumber && form.version == other.form.version
            && form.timeline == other.form.timeline
    }
}

/// The forms that keys had lately, for new keys to share.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // Whoever chooses keys that meet in one place shares less with himself, and takes nothing from others.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.isForm(of: key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
