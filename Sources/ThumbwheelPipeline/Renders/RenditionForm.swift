import ThumbwheelAssets
import ThumbwheelRendering

/// All parts of a rendition's key except the asset and the number of the picture (`PictureVersion.number`), which
/// differ from asset to asset. Thousands of waiting keys usually have equal forms. To save memory, they share one
/// object of this class.
final class RenditionForm: Sendable {
    /// The `timeline` of the key's picture version: a random number that each `PhotoLibrary` object gets when it is
    /// made or loaded. It distinguishes pictures that got the same `PictureVersion.number` in different objects.
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

    func matches(_ key: RenditionKey) -> Bool {
        matchesIgnoringPicture(key) && timeline == key.subject.picture.timeline
    }

    /// Whether `key` asks for the same image version as this form, rendered in the same way. The timelines, each the
    /// random number of a `PhotoLibrary` object, are not compared: if an asset is edited after its library was loaded
    /// again, its picture gets the number of the new object.
    func matchesIgnoringPicture(_ key: RenditionKey) -> Bool { version == key.subject.version && isRendered(like: key) }

    /// Whether `key` can be for the same picture as this form, rendered in the same way. A picture version consists of
    /// a timeline (the random number of the `PhotoLibrary` object that gave the version) and a number of the picture.
    /// This method compares the timelines, and the caller compares the numbers. Whether each key asks for the original
    /// or the current image does not matter, because both can show the same picture.
    func matchesIgnoringVersion(_ key: RenditionKey) -> Bool {
        timeline == key.subject.picture.timeline && isRendered(like: key)
    }

    private func isRendered(like key: RenditionKey) -> Bool {
        kind == key.kind && options == key.options && encoding == key.encoding
    }
}
