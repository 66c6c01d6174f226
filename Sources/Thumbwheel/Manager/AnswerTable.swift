import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelScheduling

import struct Synchronization.Atomic

/// Answers requests from the cache without the pipeline's lock, on any number of threads.
///
/// The table has the renditions that are ready in the pipeline's cache. They lie in parts called shards, each with a
/// small lock. The table decides nothing:
///
/// - The pipeline tells the table which renditions enter and leave the cache. It does so under its lock, before the
///   call that caused the change returns.
/// - The table tells the pipeline, before each decision of the pipeline, which renditions were used since the last
///   decision, in which order, and how many requests were answered.
///
/// So the pipeline decides as if it had answered these requests itself.
///
/// The table is a noncopyable value and not a class, because threads slow one another down when they count references
/// to the same object.
struct AnswerTable: ~Copyable, Sendable {
    /// One shard for each bit of `pending`.
    private static let shardCount = 64

    private let shards = (0..<shardCount).map { AnswerShard(number: $0) }
    /// One bit for each shard, set if the shard has answers that have not been reported to the pipeline yet.
    private let pending = Atomic<UInt64>(0)

    /// Returns the cache's answer to a request; nil if there is none.
    ///
    /// - Parameter isFull: set to true if so many answers are unreported that the caller should soon report them to the
    ///   pipeline.
    @inline(__always)
    borrowing func answer(_ key: RenditionKey, priority: RequestPriority, isFull: inout Bool) -> CachedAnswer? {
        shards[Self.shard(of: key)].answer(key, priority: priority, pending: pending, isFull: &isFull)
    }

    /// Reports to the pipeline all answers since the last report. The caller holds the pipeline's lock.
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

    /// Adds the renditions that have entered the cache, and removes those that have left it. The caller holds the
    /// pipeline's lock, so that changes are made in the order of the events.
    borrowing func follow(_ changes: [RenditionChange]) {
        for change in changes { shards[Self.shard(of: change.key)].apply(change) }
    }

    /// Empties the table. From now on it answers no request.
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
