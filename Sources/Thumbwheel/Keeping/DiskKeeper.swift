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
        if value.isNegative { return StoredRefusal.error(value.bytes).map { .refused($0) } ?? .missing }
        let stored = StoredImage(value.bytes) { [usesEmbeddedPreviews] bytes, size in
            key.encoding.map { encoding in
                ImageData(
                    bytes: bytes, contentType: encoding.contentType, orientation: .up, pixelSize: size,
                    entityTag: EntityTag(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews))
            }
        }
        guard let stored else { return .missing }
        if let hash = stored.thumbHash, asset.thumbHash == nil { asset.keepThumbHash(hash) }
        return .found(stored.image)
    }

    func keep(_ assignment: KeepAssignment) {
        let (key, asset) = (assignment.key, assignment.work.asset)
        guard let storeKey = StoreKey(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews) else { return }
        switch assignment.result {
        case .success(let shared):
            store.put(storeKey, byteCount: shared.facts.byteCount) {
                StoredImage.bytes(of: shared, thumbHash: asset.thumbHash).map {
                    StoredValue($0, cost: UInt32(clamping: Int(min(shared.facts.renderMilliseconds, 1e6) * 1_000)))
                }
            }
        case .failure(let error):
            guard let bytes = StoredRefusal.bytes(of: error) else { return }
            store.put(StoredValue(bytes, isNegative: true), for: storeKey)
        }
    }

    func close() { store.close() }
}
