/// The part of an order that stays the same while the asset does. It is the most expensive part to compute.
package struct CheckedImage: Sendable {
    package let key: RenditionKey
    let work: RenderWork
    let wantsPreview: Bool
    /// Whether a window of such has something to prepare.
    let isWithinReach: Bool

    /// - Returns: nil where a window has nothing to prepare.
    func wish(urgency: Double) -> WindowWish? { isWithinReach ? WindowWish(key, work: work, urgency: urgency) : nil }
}
