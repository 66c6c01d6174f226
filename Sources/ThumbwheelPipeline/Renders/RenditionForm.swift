import ThumbwheelAssets
import ThumbwheelRendering

/// All parts of a rendition's key except the asset and the number in its picture version. Thousands of waiting keys
/// usually have equal forms, and share one object of this class to save memory.
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

    func isForm(of key: RenditionKey) -> Bool { isWish(of: key) && timeline == key.subject.picture.timeline }

    /// Whether `key` asks for the same image version, rendered in the same way. The form's `timeline` is not compared,
    /// because an edited asset may have another one.
    func isWish(of key: RenditionKey) -> Bool { version == key.subject.version && isRendered(like: key) }

    /// Whether `key` asks for a picture with the same `timeline`, rendered in the same way. The image version is not
    /// compared, because two versions, such as the original and the current image, can show the same picture.
    func isPicture(of key: RenditionKey) -> Bool {
        timeline == key.subject.picture.timeline && isRendered(like: key)
    }

    private func isRendered(like key: RenditionKey) -> Bool {
        kind == key.kind && options == key.options && encoding == key.encoding
    }
}
