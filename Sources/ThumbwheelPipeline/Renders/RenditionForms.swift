import ThumbwheelCore
import ThumbwheelRendering

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
