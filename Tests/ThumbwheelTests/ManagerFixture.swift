import TestSupport
import Thumbwheel

extension ImageManager {
    /// A manager on a renderer double.
    convenience init(
        _ renderer: SuspendableRenderer, workers: Int = 2, memoryBudget: Int = 1 << 30,
        executor: DeliveryExecutor = .inline,
        keepsRenditions: Bool = true, usesEmbeddedPreviews: Bool = true, queueLimits: QueueLimits = QueueLimits(),
        eventCapacity: Int = 0
    ) {
        self.init(
            configuration: Configuration(
                workerCount: workers, memoryBudget: memoryBudget,
                // A test may be kept waiting on a busy machine; its renders are not to fail for that.
                limits: RenderLimits(duration: .seconds(3600)), queueLimits: queueLimits,
                usesEmbeddedPreviews: usesEmbeddedPreviews, servesNewestFirst: false, keepsRenditions: keepsRenditions,
                eventCapacity: eventCapacity, executor: executor),
            renderer: renderer, recordsRenders: false)
    }
}

extension PixelSize {
    static let small = PixelSize(width: 100, height: 100)
}
