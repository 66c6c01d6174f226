/// An image that is to be ready.
package struct WindowWish: Sendable {
    package var key: RenditionKey
    package var work: RenderWork
    /// Less goes first.
    package var urgency: Double

    package init(_ key: RenditionKey, work: RenderWork, urgency: Double) {
        self.key = key
        self.work = work
        self.urgency = urgency
    }
}
