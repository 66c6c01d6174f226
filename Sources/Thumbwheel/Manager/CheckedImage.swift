/// The facts about an ordered image that take the longest to compute. They stay valid as long as the asset does not
/// change.
package struct CheckedImage: Sendable {
    package let key: RenditionKey
    let work: RenderWork
    let wantsPreview: Bool
    /// Whether the rendition of fast quality is made as an additional degraded image.
    let wantsFastDegraded: Bool
    /// Whether a caching window can prepare the image: the limits allow the render, and its bytes are local or may be
    /// fetched.
    let isWithinReach: Bool

    /// - Returns: the wish for a caching window; nil if a window cannot prepare the image.
    func wish(urgency: Double) -> WindowWish? { isWithinReach ? WindowWish(key, work: work, urgency: urgency) : nil }
}
