/// The number of requests that the cache has answered. Each counts as submitted and delivered at once. A visible
/// request also counts as a look-up that found its image.
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
