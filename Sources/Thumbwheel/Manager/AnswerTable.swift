import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelScheduling

import struct Synchronization.Atomic

/// Answers requests from the cache without the pipeline's lock, on any number of threads.
///
/// The table has the renditions that the pipeline's cache has ready, in shards with a small lock each. It never decides
/// anything: the pipeline tells it which renditions come and go, under the pipeline's lock and before the call that made them
/// go returns. The table tells the pipeline, before each of its decisions, which renditions were used since the last one and in
/// which order, and how many requests were answered. So the pipeline decides as if it had answered these requests itself.
///
/// The table cannot be copied and is no class: threads that count the references to one object hinder one another.
struct AnswerTable: ~Copyable, Sendable {
    /// One shard for each bit of `pending`.
    private static let shardCount = 64

    private let shards = (0..<shardCount).map { AnswerShard(number: $0) }
    /// A bit for each shard that has answers of which the pipeline does not know yet.
    private let pending = Atomic<UInt64>(0)

    /// Returns the cache's answer to a request; nil if there is none.
    ///
    /// - Parameter isFull: set to true if so many answers wait to be handed over that it should be tried soon.
    @inline(__always)
    borrowing func answer(_ key: RenditionKey, priority: RequestPriority, isFull: inout Bool) -> CachedAnswer? {
        shards[Self.shard(of: key)].answer(key, priority: priority, pending: pending, isFull: &isFull)
    }

    /// Tells the pipeline of all answers since the last call. The caller holds the pipeline's lock.
    borrowing func handOver(to state: inout PipelineState) {
        guard pending.load(ordering: .acquiring) != 0 else { return }
        var rest = pending.exchange(0, ordering: .acquiringAndReleasing)
        var counts = CachedAnswerCounts()
        var uses: [AnswerShard.Use] = []
        while rest != 0 {
            shards[rest.trailingZeroBitCount].takeUses(into: &uses, &counts)
            rest &= rest - 1
        }
        uses.sort { $0.time < $1.time }
        state.noteAnswered(counts, using: uses.lazy.map(\.key))
    }

    /// Follows the cache: adds the renditions that have come and removes those that have gone. The caller holds the pipeline's
    /// lock, so that changes are made in the order of the events.
    borrowing func follow(_ changes: [RenditionChange]) {
        for change in changes { shards[Self.shard(of: change.key)].apply(change) }
    }

    /// Gives no answer from now on.
    borrowing func close() {
        for shard in shards { shard.close() }
    }

    /// All renditions of an asset are in one shard, because a look-up may accept more than one.
    private static func shard(of key: RenditionKey) -> Int {
        let asset = key.subject.asset
        let mixed = (asset.high ^ asset.low &* 0x9E37_79B9_7F4A_7C15) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 58)
    }
}
