/// What of an order is the same whenever it is given, and costs most to find out.
package struct CheckedImage: Sendable {
    package let key: RenditionKey
    let work: RenderWork
    let wantsPreview: Bool
    /// Whether a window of such has something to prepare.
    let isWithinReach: Bool

    /// - Returns: nil where a window has nothing to prepare.
    func wish(urgency: Double) -> WindowWish? { isWithinReach ? WindowWish(key, work: work, urgency: urgency) : nil }
}
