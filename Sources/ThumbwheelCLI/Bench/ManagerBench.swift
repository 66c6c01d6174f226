import Thumbwheel
import ThumbwheelReplay

/// The image manager: what a request costs beside its render, and what happens to renders when others come or go.
struct ManagerBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    func rows() throws -> [BenchRow] {
        progress.show("manager: cached requests")
        var rows = try ManagerCachedBench(options).rows()
        progress.show("manager: one render for many")
        rows.append(try ManagerCoalescingBench(options).row())
        progress.show("manager: making pictures")
        let pictures = try BenchPictures(seed: options.seed)
        progress.show("manager: visible requests under prefetch")
        rows.append(try ManagerPrefetchBench(options, pictures).row())
        progress.show("manager: two workers")
        rows.append(try ManagerWorkersBench(options, pictures).row())
        for picture in pictures.stoppable {
            progress.show("manager: cancelling \(picture.name)")
            rows += try ManagerCancelBench(options, picture).rows()
        }
        return rows
    }
}

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
