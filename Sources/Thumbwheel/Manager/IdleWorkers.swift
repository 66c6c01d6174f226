import Dispatch
import ThumbwheelRendering

/// The workers of a pipeline, for renders that are large enough to be shared with those that are idle.
struct IdleWorkers: RenderAssistants {
    let workers: [RenderWorker]

    func start(_ work: @escaping RenderWorker.Assistance) -> Bool { workers.contains { $0.assist(work) } }
}
