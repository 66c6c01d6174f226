import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelScheduling

import struct Synchronization.Atomic

/// A part of the answer table, with its own lock.
final class AnswerShard: Sendable {
    /// The last use of a rendition that the pipeline has not been told of yet.
    struct Use {
        let key: RenditionKey
        let time: UseTime
    }

    private struct State {
        /// The place of each rendition in the arrays below, which have a place for each. They are apart, so that a hit copies
        /// nothing but a reference to its image.
        var places: [RenditionKey: Int] = [:]
        var keys: [RenditionKey] = []
        /// The images; nil for a place that is vacant.
        var images: [SharedImage?] = []
        /// The last use that the pipeline does not know of; nil if there is none.
        var lastUses: [UseTime?] = []
        var vacant: [Int] = []
        /// The places that have been used since the pipeline was told.
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

        /// - Returns: the image that has gone.
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

    /// The number of used renditions from which on they should be handed over, so that an event of the pipeline that finds many
    /// of them does not take long.
    private static let manyUses = 64

    private let number: UInt64
    private let state = Mutex(State())

    init(number: Int) {
        self.number = UInt64(number)
    }

    /// - Parameters:
    ///   - pending: gets this shard's bit if the pipeline knew of all uses before this one.
    ///   - isFull: set to true if this answer brings the number of used renditions to a multiple of `manyUses`.
    func answer(
        _ key: RenditionKey, priority: RequestPriority, pending: borrowing Atomic<UInt64>, isFull: inout Bool
    ) -> CachedAnswer? {
        state.withLock { state in
            guard let place = state.place(satisfying: key), let shared = state.images[place] else { return nil }
            // The bit is set while the shard is locked. Otherwise another thread could be answered by this shard, and begin an
            // event of the pipeline, before the bit is there.
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
                // The rendition may have gone since, or be noted twice.
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

    /// A use of a rendition that goes while the use is noted is forgotten with it.
    func apply(_ change: RenditionChange) {
        // The former image is released outside the lock.
        _ = state.withLock { $0.apply(change) }
    }

    func close() {
        // The images are released outside the lock.
        _ = state.withLock { state in
            let (images, counts) = (state.images, state.counts)
            state = State()
            state.counts = counts
            state.isOpen = false
            return images
        }
    }
}
