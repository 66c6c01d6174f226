import ThumbwheelCore
import ThumbwheelRendering

/// The forms of recent keys. A form is a key without its asset and without the number of its picture. A new key whose
/// form equals one of these shares that existing object.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // If two forms have the same index in `recent`, each replaces the other. Later keys then get new objects
        // although equal forms exist. That costs only a little memory, even if a caller chooses such keys on purpose.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.isForm(of: key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
