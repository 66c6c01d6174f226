/// An image that a caching manager wants to have ready. The list of all such images of one caching manager is called
/// its window.
package struct WindowWish: Sendable {
    package var key: RenditionKey
    package var work: RenderWork
    /// The urgency of the image; smaller values go first.
    package var urgency: Double

    package init(_ key: RenditionKey, work: RenderWork, urgency: Double) {
        self.key = key
        self.work = work
        self.urgency = urgency
    }
}
