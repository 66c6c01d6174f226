import ThumbwheelPipeline
import ThumbwheelScheduling

/// The answers that the threads of one stripe (`ThreadStripe`) have got from the cache: how many they were, and which uses of
/// renditions have not been reported to the pipeline yet.
struct AnswerNotes {
    /// The last use of a rendition, not yet reported to the pipeline.
    struct Use {
        let key: RenditionKey
        let time: UseTime
    }

    /// The number of the stripe.
    private let stripe: UInt64
    /// The number of requests answered so far.
    private var answerCount: UInt64 = 0
    private var counts = CachedAnswerCounts()
    /// The last use of each rendition, by the rendition's number; nil if it has been reported to the pipeline or there was
    /// none. The list ends at the highest number that was ever used.
    private var lastUses: [UseTime?] = []
    /// The numbers of the renditions that have been used since the last report to the pipeline.
    private var used: [Int] = []

    init(stripe: Int) {
        self.stripe = UInt64(stripe)
    }

    /// Whether all answers have been reported to the pipeline.
    var isReported: Bool { counts.count == 0 }

    /// The number of renditions that have been used since the last report. A rendition that has left the cache and come back
    /// may count twice.
    var usedCount: Int { used.count }

    /// Counts an answered request.
    ///
    /// - Returns: the identifier of the request.
    @inline(__always)
    mutating func countAnswer(_ priority: RequestPriority) -> ImageRequestID {
        counts.count += 1
        if priority == .userInitiated { counts.visibleCount += 1 }
        answerCount += 1
        return .answered(answerCount, by: stripe)
    }

    /// - Returns: whether this is the first use of the rendition since the last report.
    @inline(__always)
    mutating func noteUse(of rendition: Int) -> Bool {
        if rendition >= lastUses.count { grow(to: rendition + 1) }
        let isFirst = lastUses[rendition] == nil
        lastUses[rendition] = .now
        if isFirst { used.append(rendition) }
        return isFirst
    }

    /// Drops the use of a rendition that has left the cache, or that has another image now.
    mutating func forgetUse(of rendition: Int) {
        if rendition < lastUses.count { lastUses[rendition] = nil }
    }

    /// Drops all uses. The counts stay.
    mutating func forgetUses() {
        lastUses = []
        used = []
    }

    /// Takes the uses and the counts since the last call.
    mutating func take(
        uses: inout [Use], _ counts: inout CachedAnswerCounts, of renditions: borrowing AnsweringRenditions
    ) {
        for rendition in used {
            // The rendition may have left the cache since its use, or may be in the list twice.
            guard let time = lastUses[rendition] else { continue }
            uses.append(Use(key: renditions.key(rendition), time: time))
            lastUses[rendition] = nil
        }
        used.removeAll(keepingCapacity: true)
        counts.count += self.counts.count
        counts.visibleCount += self.counts.visibleCount
        self.counts = CachedAnswerCounts()
    }

    private mutating func grow(to count: Int) {
        lastUses.reserveCapacity(max(count, 2 * lastUses.count))
        while lastUses.count < count { lastUses.append(nil) }
    }
}
