import ThumbwheelCore
import ThumbwheelRendering

/// The forms of recent keys. A form is a key without its asset and without the number of its picture. A new key whose
/// form equals one of these shares that existing object.
struct RenditionForms: Sendable {
    private static let count = 64
    private var recent: [RenditionForm?] = Array(repeating: nil, count: count)

    mutating func form(of key: RenditionKey) -> RenditionForm {
        let size = key.options.targetSize
        // `recent` has one place for each index. Two forms with the same index replace each other in this place. A
        // later key may then get a new object although an equal form exists. That costs only a little memory, even if a
        // caller chooses such keys on purpose.
        let place = (size.width &* 31 ^ size.height &* 7 ^ key.kind.rawValue) & (Self.count - 1)
        if let form = recent[place], form.isForm(of: key) { return form }
        let form = RenditionForm(of: key)
        recent[place] = form
        return form
    }
}
