import ThumbwheelCore
import ThumbwheelRendering

/// The forms of recently used rendition keys, kept so that equal forms share one object. The form of a key is
/// everything in the key except the asset and the number of the asset's picture.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // Keys with the same `place` share one element of `recent`, and a new form replaces the older one there. If a
        // replaced form is needed again, a new object is made for it. That costs only a little memory, even if a caller
        // chooses keys that all have the same `place`.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.matches(key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
