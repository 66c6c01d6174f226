import Dispatch
import ThumbwheelRendering

/// Lets a large render share its work with the pipeline's idle workers.
struct IdleWorkers: RenderAssistants {
    let workers: [RenderWorker]

    func start(_ work: @escaping RenderWorker.Assistance) -> Bool { workers.contains { $0.assist(work) } }
}
