import Thumbwheel

/// A renderer that makes blank images.
final class BlankRenderer: RenditionRenderer {
    private let body: @Sendable () -> Void

    /// - Parameter body: runs in each render, before it returns.
    init(body: @escaping @Sendable () -> Void = {}) {
        self.body = body
    }

    func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
        let bitmap = Bitmap.blank
        body()
        return .image(
            PipelineImage(
                .pixels(bitmap),
                ImageFacts(
                    pixelSize: bitmap.size, byteCount: bitmap.byteCount, source: .reduced, eighths: 1, decoder: .jpeg)))
    }
}
