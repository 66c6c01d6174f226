import ThumbwheelPipeline
import ThumbwheelScheduling

import struct Synchronization.Atomic

/// Finds the images of requests in a copy of the pipeline's cache, without the pipeline's lock, on any number of
/// threads.
///
/// The table contains the renditions that are in the pipeline's cache and not packed (compressed without loss). All
/// decisions, for example which images to evict, are left to the pipeline:
///
/// - The pipeline tells the table which renditions enter and leave the cache. It does so under its lock, before the
///   call that caused the change returns.
/// - Before the pipeline decides anything, the table tells it how many requests were answered since the last report,
///   and which renditions they used in which order.
///
/// So the pipeline decides as if it had answered these requests itself.
///
/// Two threads that find images write to no common memory, apart from the reference count of an image that both
/// deliver. Otherwise each write of one processor would make the next look-up on another processor wait for the memory,
/// which can take as long as the look-up itself. Two things follow:
///
/// - The table is a noncopyable value. A class would have a reference count, to which all threads would write.
/// - Each thread notes its answers in one of the stripes of a `StripedMutex`, and not in a list of all threads.
struct AnswerTable: ~Copyable, Sendable {
    /// The number of noted uses of renditions at which a stripe should report them to the pipeline. A stripe is a group
    /// of threads with common notes. The pipeline handles the notes of all stripes in one step under its lock; if a
    /// stripe had many more notes, this step would hold the lock for too long.
    private static let reportThreshold = 1024

    private let renditions = StripedMutex(
        AnsweringRenditions(), stripeCount: ThreadStripe.count, notes: AnswerNotes.init)
    /// One bit for each stripe (group of threads), set if the stripe has answers that have not been reported to the
    /// pipeline yet.
    private let pending = Atomic<UInt64>(0)
    /// Whether the table has no renditions. A request then need not compute the hash of its key.
    private let isEmpty = Atomic(true)

    /// Returns the cache's answer to a request; nil if there is none. An answer is noted. The pipeline gets the note
    /// before it handles its next call.
    ///
    /// - Parameters:
    ///   - stripe: the number of the group of threads that notes the answer. Outside tests, it is the group of the
    ///     calling thread.
    ///   - isFull: set to true if the group has so many notes that the caller should report them to the pipeline.
    @inline(__always)
    borrowing func answer(
        _ key: RenditionKey, priority: RequestPriority, stripe: Int = ThreadStripe.current, isFull: inout Bool
    ) -> CachedAnswer? {
        guard !isEmpty.load(ordering: .acquiring) else { return nil }
        if let answer = answer(exactly: key, priority, stripe, isFull: &isFull) { return answer }
        guard let other = key.substituteKey else { return nil }
        return answer(exactly: other, priority, stripe, isFull: &isFull)
    }

    @inline(__always)
    private borrowing func answer(
        exactly key: RenditionKey, _ priority: RequestPriority, _ stripe: Int, isFull: inout Bool
    ) -> CachedAnswer? {
        let hash = key.hashValue
        return renditions.read(stripe: stripe) { renditions, notes in
            guard let number = renditions.number(of: key, hash: hash), let shared = renditions.image(number) else {
                return nil
            }
            // Sets the stripe's bit in `pending`, which tells the pipeline to collect the notes of this stripe. The bit
            // is set while the stripe is still locked. If it were set after the unlocking, a second thread of the
            // stripe could get an answer and call the pipeline before the bit is set. The pipeline would then decide
            // without knowing about the second thread's answer.
            if notes.isReported { pending.bitwiseOr(1 << UInt64(stripe), ordering: .releasing) }
            if notes.noteUse(of: number) { isFull = notes.usedCount.isMultiple(of: Self.reportThreshold) }
            return CachedAnswer(shared: shared, requestID: notes.countAnswer(priority))
        }
    }

    /// Tells the pipeline how many requests were answered since the last report, and which renditions they used,
    /// ordered by their last use. The caller holds the pipeline's lock.
    borrowing func handOver(to state: inout PipelineState) {
        guard pending.load(ordering: .acquiring) != 0 else { return }
        var rest = pending.exchange(0, ordering: .acquiringAndReleasing)
        var counts = CachedAnswerCounts()
        var uses: [AnswerNotes.Use] = []
        while rest != 0 {
            renditions.read(stripe: rest.trailingZeroBitCount) { $1.take(uses: &uses, &counts, of: $0) }
            rest &= rest - 1
        }
        uses.sort { $0.time < $1.time }
        state.noteAnswered(counts, using: uses.lazy.map(\.key))
    }

    /// Adds the renditions that have entered the cache, and removes the renditions that have left the cache. If a
    /// removed rendition was used since the last report to the pipeline, the note of this use is dropped. The caller
    /// holds the pipeline's lock, so changes are made in the order of the events.
    borrowing func follow(_ changes: [RenditionChange]) {
        guard !changes.isEmpty else { return }
        var numbers: [Int] = []
        // The images that were replaced or removed. This array keeps them until the table's locks are released, because
        // freeing pixels takes long.
        var former: [SharedImage?] = []
        numbers.reserveCapacity(changes.count)
        former.reserveCapacity(changes.count)
        renditions.change { renditions in
            for change in changes {
                guard let changed = renditions.apply(change) else { continue }
                numbers.append(changed.number)
                former.append(changed.former)
            }
            isEmpty.store(renditions.count == 0, ordering: .releasing)
        } adapt: { _, notes in
            for number in numbers { notes.forgetUse(of: number) }
        }
    }

    /// Empties the table. From now on it answers no request.
    borrowing func close() {
        // The removed images are destroyed after the table's locks are released, because freeing pixels takes long.
        _ = renditions.change {
            $0.close()
        } adapt: {
            $1.forgetUses()
        }
        isEmpty.store(true, ordering: .releasing)
    }
}
