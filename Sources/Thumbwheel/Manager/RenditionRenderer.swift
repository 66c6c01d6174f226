import Dispatch
import ThumbwheelRendering

/// Makes the pixels of a rendition: the pipeline's way to the bytes and the decoders.
package protocol RenditionRenderer: Sendable {
    /// Runs on a worker's thread; returns soon after the assignment's token is cancelled.
    ///
    /// - Parameter assistants: the other workers, as far as they are idle.
    func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome
}
