import Dispatch
import ThumbwheelRendering

/// Makes the pixels of renditions. The pipeline reaches files and decoders only through this protocol.
package protocol RenditionRenderer: Sendable {
    /// Renders an assignment on a worker's thread; returns soon after the assignment's token is cancelled.
    ///
    /// - Parameter assistants: the idle workers, to which the renderer can give parts of its work.
    func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome
}
