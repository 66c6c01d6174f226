/// The number of requests that the cache has answered. Each of these requests counts as submitted and as delivered. A
/// visible request (one of priority `.userInitiated`) also counts as a cache look-up that found its image.
package struct CachedAnswerCounts: Sendable {
    package var count = 0
    package var visibleCount = 0

    package init() {}
}

extension PipelineStatistics {
    mutating func add(_ answers: CachedAnswerCounts) {
        requests.submitted += answers.count
        requests.delivered += answers.count
        firstImage.record(milliseconds: 0, count: answers.count)
        finalImage.record(milliseconds: 0, count: answers.count)
        cache.lookups += answers.visibleCount
        cache.hits += answers.visibleCount
    }
}
