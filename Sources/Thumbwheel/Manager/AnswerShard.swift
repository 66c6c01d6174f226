import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelScheduling

import struct Synchronization.Atomic

/// A part of the answer table (`AnswerTable`), with its own lock. It answers requests for some of the cached
/// renditions.
final class AnswerShard: Sendable {
    /// The last use of a rendition, not yet reported to the pipeline.
    struct Use {
        let key: RenditionKey
        let time: UseTime
    }

    private struct State {
        /// The place of each rendition in the arrays below. The arrays are separate, so that a hit copies only a
        /// reference to its image.
        var places: [RenditionKey: Int] = [:]
        var keys: [RenditionKey] = []
        /// The images; nil in a vacant place.
        var images: [SharedImage?] = []
        /// The last use of each rendition; nil if it has been reported to the pipeline or there was none.
        var lastUses: [UseTime?] = []
        var vacant: [Int] = []
        /// The places of the renditions that have been used since the last report to the pipeline.
        var used: [Int] = []
        var counts = CachedAnswerCounts()
        /// The number of requests answered so far.
        var answerCount: UInt64 = 0
        var isOpen = true

        /// Finds the rendition that answers a request, like `RenditionStore.image(satisfying:)`.
        func place(satisfying key: RenditionKey) -> Int? {
            if let place = places[key] { return place }
            return key.satisfyingInstead.flatMap { places[$0] }
        }

        /// - Returns: the image that was removed or replaced; nil if there was none.
        mutating func apply(_ change: RenditionChange) -> SharedImage? {
            guard isOpen else { return nil }
            if let place = places[change.key] {
                let former = images[place]
                images[place] = change.shared
                lastUses[place] = nil
                if change.shared == nil {
                    places[change.key] = nil
                    vacant.append(place)
                }
                return former
            }
            guard let shared = change.shared else { return nil }
            if let place = vacant.popLast() {
                places[change.key] = place
                keys[place] = change.key
                images[place] = shared
            } else {
                places[change.key] = keys.count
                keys.append(change.key)
                images.append(shared)
                lastUses.append(nil)
            }
            return nil
        }
    }

    /// The number of used renditions at which they should be reported to the pipeline. If many more had gathered, the
    /// event of the pipeline that takes them would be slow.
    private static let manyUses = 64

    private let number: UInt64
    private let state = Mutex(State())

    init(number: Int) {
        self.number = UInt64(number)
    }

    /// - Parameters:
    ///   - pending: the bits of the shards that have something to report to the pipeline. This shard's bit is set if it
    ///     had nothing to report before this answer.
    ///   - isFull: set to true if this answer brings the number of used renditions to a multiple of `manyUses`.
    func answer(
        _ key: RenditionKey, priority: RequestPriority, pending: borrowing Atomic<UInt64>, isFull: inout Bool
    ) -> CachedAnswer? {
        state.withLock { state in
            guard let place = state.place(satisfying: key), let shared = state.images[place] else { return nil }
            // The shard's bit is set while the shard is locked. Otherwise another thread could get an answer from this
            // shard, and begin an event of the pipeline, before the bit is set.
            if state.counts.count == 0 { pending.bitwiseOr(1 << number, ordering: .releasing) }
            if state.lastUses[place] == nil {
                state.used.append(place)
                isFull = state.used.count.isMultiple(of: Self.manyUses)
            }
            state.lastUses[place] = .now
            state.counts.count += 1
            if priority == .userInitiated { state.counts.visibleCount += 1 }
            state.answerCount += 1
            return CachedAnswer(shared: shared, requestID: .answered(state.answerCount, by: number))
        }
    }

    /// Takes the uses and the counts since the last call.
    func takeUses(into uses: inout [Use], _ counts: inout CachedAnswerCounts) {
        state.withLock { state in
            for place in state.used {
                // The rendition may have left the cache since its use, or may be in the list twice.
                guard let time = state.lastUses[place] else { continue }
                uses.append(Use(key: state.keys[place], time: time))
                state.lastUses[place] = nil
            }
            state.used.removeAll(keepingCapacity: true)
            counts.count += state.counts.count
            counts.visibleCount += state.counts.visibleCount
            state.counts = CachedAnswerCounts()
        }
    }

    /// Applies a change of the cache. If a rendition has left the cache, a use of it that has not been reported yet is
    /// dropped.
    func apply(_ change: RenditionChange) {
        // The former image is destroyed outside the lock.
        _ = state.withLock { $0.apply(change) }
    }

    func close() {
        // The images are destroyed outside the lock.
        _ = state.withLock { state in
            let (images, counts) = (state.images, state.counts)
            state = State()
            state.counts = counts
            state.isOpen = false
            return images
        }
    }
}
