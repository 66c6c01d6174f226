/// A request for an image, after a check that the asset can be rendered with the request's options. It contains those
/// facts about the asset that take longest to compute. These facts stay valid until the asset changes.
package struct CheckedImage: Sendable {
    package let key: RenditionKey
    let work: RenderWork
    let wantsPreview: Bool
    /// Whether the request also gets the image that a `.fast` request would get. That image comes before the final one,
    /// as an additional degraded image.
    let wantsFastDegraded: Bool
    /// Whether a caching manager can prepare the image. It can if the render keeps the limits of the configuration
    /// (`RenderLimits`), and if the photograph's bytes are stored locally or may be fetched.
    let isWithinReach: Bool

    /// Returns an entry for this image, with the given urgency, for a caching window. A caching window is a list of
    /// images to prepare. Nil if the image cannot be prepared.
    func wish(urgency: Double) -> WindowWish? { isWithinReach ? WindowWish(key, work: work, urgency: urgency) : nil }
}
