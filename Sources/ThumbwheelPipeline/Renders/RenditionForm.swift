import ThumbwheelAssets
import ThumbwheelRendering

/// All parts of a rendition's key except the asset and the number of its picture version. Thousands of waiting keys
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

    /// Whether this form and the key's form are equal, apart from the timeline (a part of the picture's version).
    func isWish(of key: RenditionKey) -> Bool { version == key.subject.version && isRendered(like: key) }

    /// Whether this form and the key's form are equal, apart from the image version (such as the original or the
    /// current image).
    func isPicture(of key: RenditionKey) -> Bool {
        timeline == key.subject.picture.timeline && isRendered(like: key)
    }

    private func isRendered(like key: RenditionKey) -> Bool {
        kind == key.kind && options == key.options && encoding == key.encoding
    }
}
