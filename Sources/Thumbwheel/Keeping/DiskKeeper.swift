import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

/// Keeps renditions in a store on this machine's disk.
final class DiskKeeper: RenditionKeeper {
    private let store: DiskStore
    private let usesEmbeddedPreviews: Bool
    /// The threads for look-ups, which may wait for the disk.
    private let threads = BlockingThreads(named: "thumbwheel-store", readyCount: 2, limit: 2)

    init(_ store: DiskStore, usesEmbeddedPreviews: Bool) {
        (self.store, self.usesEmbeddedPreviews) = (store, usesEmbeddedPreviews)
    }

    var statistics: StoreStatistics { store.statistics }

    func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void) {
        threads.run { [self] in completion(outcome(of: assignment)) }
    }

    private func outcome(of assignment: LookUpAssignment) -> LookUpOutcome {
        let (key, asset) = (assignment.key, assignment.work.asset)
        guard let storeKey = StoreKey(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews),
            let value = store.value(for: storeKey)
        else { return .missing }
        return LookUpOutcome(value, of: key, asset, usesEmbeddedPreviews: usesEmbeddedPreviews)
    }

    func keep(_ assignment: KeepAssignment) {
        let (key, asset) = (assignment.key, assignment.work.asset)
        guard let storeKey = StoreKey(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews) else { return }
        if case .success(let shared) = assignment.result {
            store.put(storeKey, byteCount: shared.facts.byteCount) { StoredValue(assignment.result, of: asset) }
        } else if let value = StoredValue(assignment.result, of: asset) {
            store.put(value, for: storeKey)
        }
    }

    func close() { store.close() }
}
