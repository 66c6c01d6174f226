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
