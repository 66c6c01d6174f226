import ThumbwheelCore
import ThumbwheelRendering

/// The forms of recent keys, which new keys with equal forms share.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // A caller that chooses keys that collide here only shares fewer forms among its own keys; it costs others nothing.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.isForm(of: key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
