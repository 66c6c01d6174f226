import Dispatch
import ThumbwheelRendering

/// The workers of a pipeline as assistants: a large render shares its work with the workers that are idle.
struct IdleWorkers: RenderAssistants {
    let workers: [RenderWorker]

    func start(_ work: @escaping RenderWorker.Assistance) -> Bool { workers.contains { $0.assist(work) } }
}
