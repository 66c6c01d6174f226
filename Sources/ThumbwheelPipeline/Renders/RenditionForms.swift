import ThumbwheelCore
import ThumbwheelRendering

/// The forms of recent keys; a form is a key without its asset and its picture. A new key with an equal form shares the
/// existing object.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // Two forms with the same index in `recent` replace each other, so that fewer keys share a form. That costs
        // only a little memory, even if a caller chooses such keys on purpose.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.isForm(of: key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
