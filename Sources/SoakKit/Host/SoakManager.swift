import Thumbwheel

/// An image manager of the service, which several users share.
final class SoakManager {
    let number: Int
    let manager: ImageManager
    /// Whether requests may be shed or turned away.
    let isNarrow: Bool
    private var observation: ChangeObservation?

    init(number: Int, library: PhotoLibrary, _ random: inout SeededGenerator) {
        self.number = number
        func isOneIn(_ count: Int) -> Bool { random.index(below: count) == 0 }
        let isNarrow = isOneIn(3)
        self.isNarrow = isNarrow
        manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1 + random.index(below: 3)
                $0.memoryBudget = [64 << 10, 512 << 10, 4 << 20][random.index(below: 3)]
                $0.fetchLimit = 1 + random.index(below: 3)
                $0.queueLimits =
                    isNarrow
                    ? QueueLimits(
                        userInitiated: 12, prefetch: 4, background: 4,
                        overflow: isOneIn(2) ? .rejectsNewest : .shedsOldest) : QueueLimits()
                $0.servesNewestFirst = isOneIn(2)
                $0.weighsCost = isOneIn(2)
                $0.keepsRenditions = !isOneIn(6)
                $0.packsRenditions = isOneIn(2)
                $0.eventCapacity = isOneIn(2) ? 50 : 0
                $0.watchesMemory = isOneIn(2)
            }, recordsRenders: false)
        observe(library)
    }

    /// Forgets pictures as they change in another library from now on. Every second manager never forgets any: what is
    /// out of date is not to be shown even if it is kept.
    func observe(_ library: PhotoLibrary) {
        observation = number.isMultiple(of: 2) ? manager.forgetImages(asAssetsChangeIn: library) : nil
    }
}
