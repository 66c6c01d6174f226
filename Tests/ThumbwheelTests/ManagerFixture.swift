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
            configuration: Configuration {
                $0.workerCount = workers
                $0.memoryBudget = memoryBudget
                $0.disregardMachine()
                $0.queueLimits = queueLimits
                $0.usesEmbeddedPreviews = usesEmbeddedPreviews
                $0.servesNewestFirst = false
                $0.keepsRenditions = keepsRenditions
                $0.eventCapacity = eventCapacity
                $0.executor = executor
            },
            renderer: renderer, recordsRenders: false)
    }
}

extension PixelSize {
    static let small = PixelSize(width: 100, height: 100)
}
