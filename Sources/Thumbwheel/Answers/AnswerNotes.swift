import ThumbwheelPipeline
import ThumbwheelScheduling

/// Notes about the requests that the cache has answered on the threads of one stripe (`ThreadStripe`, one of 32 groups
/// of threads): how many there were, and which renditions they used since the last report to the pipeline.
struct AnswerNotes {
    /// The most recent use of a rendition that has not been reported to the pipeline yet.
    struct Use {
        let key: RenditionKey
        let time: UseTime
    }

    /// The number of the stripe (group of threads) whose requests this object counts.
    private let stripe: UInt64
    /// The number of requests answered so far.
    private var answerCount: UInt64 = 0
    private var counts = CachedAnswerCounts()
    /// The time at which each rendition was most recently used, indexed by the rendition's number. Nil if the rendition
    /// was not used since the last report to the pipeline. The array grows as far as the highest number noted so far.
    private var lastUses: [UseTime?] = []
    /// The numbers of the renditions that have been used since the last report to the pipeline.
    private var used: [Int] = []

    init(stripe: Int) {
        self.stripe = UInt64(stripe)
    }

    /// Whether all answers have been reported to the pipeline. If so, the next answer has to tell the pipeline that
    /// there is something to collect.
    var isReported: Bool { counts.count == 0 }

    /// The length of `used`. A rendition is in this list twice if it was used, left the cache, came back, and was used
    /// again since the last report.
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

    /// Notes a use of a rendition, to be reported to the pipeline.
    ///
    /// - Returns: whether this is the first use of the rendition since the last report.
    @inline(__always)
    mutating func noteUse(of rendition: Int) -> Bool {
        if rendition >= lastUses.count { grow(to: rendition + 1) }
        let isFirst = lastUses[rendition] == nil
        lastUses[rendition] = .now
        if isFirst { used.append(rendition) }
        return isFirst
    }

    /// Forgets that a rendition was used since the last report to the pipeline. Called when the rendition leaves the
    /// cache or its image is replaced.
    mutating func forgetUse(of rendition: Int) {
        if rendition < lastUses.count { lastUses[rendition] = nil }
    }

    /// Discards the notes about the renditions that were used since the last report to the pipeline. The counts of
    /// answered requests are kept, and are still reported.
    mutating func forgetUses() {
        lastUses = []
        used = []
    }

    /// Moves all notes since the last report into the arguments, so that the caller can report them to the pipeline.
    /// The uses of renditions are appended to `uses`. The numbers of answered requests are added to `counts`.
    ///
    /// - Parameter renditions: the table in which the keys of the used renditions are found.
    mutating func take(
        uses: inout [Use], _ counts: inout CachedAnswerCounts, of renditions: borrowing AnsweringRenditions
    ) {
        for rendition in used {
            // A rendition in `used` has no time in `lastUses` in two cases. Either the rendition has left the cache
            // since its use, or `used` contains the rendition twice. In the second case, the loop has removed the time
            // when it reached the rendition for the first time.
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
