import ThumbwheelCore
import ThumbwheelScheduling

// MARK: The cache's answers

extension PipelineState {
    /// A request that the cache answers: it has ended when it begins, so it is counted and numbered like any other, and
    /// never kept. Nil where its rendition is to be made, or the pipeline is closed: then it has to be submitted.
    ///
    /// This is what most requests of a scroll come to. It emits no action and allocates nothing.
    ///
    /// - Parameter now: asked for only where events are kept, which have times.
    package mutating func answer(
        _ key: RenditionKey, priority: RequestPriority, at now: @autoclosure () -> MonotonicTime
    ) -> CachedAnswer? {
        guard !isClosed, let shared = cachedImage(satisfying: key) else { return nil }
        answers.count += 1
        if priority == .userInitiated { answers.visibleCount += 1 }
        lastRequestNumber += 1
        let id = ImageRequestID(rawValue: lastRequestNumber)
        if configuration.eventCapacity > 0 {
            note(.requestSubmitted(id, asset: key.subject.asset, priority: priority))
            note(.requestEnded(id, .delivered))
            stampEvents(at: now())
        }
        return CachedAnswer(shared: shared, requestID: id)
    }

    /// The cached rendition that satisfies `request`; counted for visible requests.
    mutating func lookUp(_ request: PipelineRequest) -> SharedImage? {
        let image = cachedImage(satisfying: request.key) ?? samePicture(as: request.key, request.work)
        countLookUp(isHit: image != nil, priority: request.priority)
        return image
    }

    private mutating func cachedImage(satisfying key: RenditionKey) -> SharedImage? {
        if let image = cache.value(forKey: key) { return image }
        // Of a file the very bytes count: its entity tag names one rendition.
        guard key.kind == .fast, key.encoding == nil else { return nil }
        return cache.value(forKey: key.with(.high))
    }

    private mutating func countLookUp(isHit: Bool, priority: RequestPriority) {
        guard priority == .userInitiated else { return }
        counts.cache.lookups += 1
        if isHit { counts.cache.hits += 1 }
    }

    /// The largest cached rendition of the same subject and crop, in pixels.
    mutating func bestCachedImage(for key: RenditionKey) -> SharedImage? {
        let crop = key.options.normalizedCropRect
        let best = cachedRenditions[key.subject.asset]?.largest {
            $0.key.subject == key.subject && $0.key.encoding == nil && $0.key.options.normalizedCropRect == crop
                && !$0.shared.image.isPacked
        }
        return best.flatMap { cache.value(forKey: $0.key) }
    }
}

/// How many requests the cache has answered: each is submitted, looked up if it is visible, and delivered at once.
struct CachedAnswerCounts: Sendable {
    var count = 0
    var visibleCount = 0
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

/// The whole of a request that the cache answers: its one result.
package struct CachedAnswer: Sendable {
    package let shared: SharedImage
    package let requestID: ImageRequestID

    /// Copied when it is asked for, which is outside the lock.
    package var info: ImageInfo { shared.cachedInfo(for: requestID) }
}
