extension PipelineStatistics {
    /// Adds the statistics of another pipeline. Peaks are not added: the sum has the larger of the two peaks, because
    /// each pipeline has a memory budget of its own and the two peaks may have occurred at different times.
    package static func += (left: inout PipelineStatistics, right: PipelineStatistics) {
        left.requests += right.requests
        left.renders += right.renders
        left.cache += right.cache
        left.tiers += right.tiers
        left.fetches += right.fetches
        left.firstImage += right.firstImage
        left.finalImage += right.finalImage
        left.budgetUsedByteCount += right.budgetUsedByteCount
        left.budgetPeakByteCount = max(left.budgetPeakByteCount, right.budgetPeakByteCount)
        left.budgetLimitByteCount += right.budgetLimitByteCount
        left.memoryPressure = max(left.memoryPressure, right.memoryPressure)
        left.cachedByteCount += right.cachedByteCount
        left.packedByteCount += right.packedByteCount
        left.ownedByteCounts.merge(right.ownedByteCounts, uniquingKeysWith: +)
        left.queuedRenderCount += right.queuedRenderCount
        left.runningRenderCount += right.runningRenderCount
        left.queuedFetchCount += right.queuedFetchCount
        left.runningFetchCount += right.runningFetchCount
        left.liveRequestCount += right.liveRequestCount
    }

    /// The counts of a pipeline that has ended. The gauges, such as queue lengths and bytes in the cache, are 0,
    /// because an ended pipeline holds nothing.
    package var ended: PipelineStatistics {
        var ended = PipelineStatistics()
        (ended.requests, ended.renders, ended.cache) = (requests, renders, cache)
        (ended.tiers, ended.fetches) = (tiers, fetches)
        (ended.firstImage, ended.finalImage) = (firstImage, finalImage)
        ended.budgetPeakByteCount = budgetPeakByteCount
        return ended
    }
}

extension PipelineStatistics.Requests {
    fileprivate static func += (left: inout Self, right: Self) {
        left.submitted += right.submitted
        left.coalesced += right.coalesced
        left.delivered += right.delivered
        left.cancelled += right.cancelled
        left.failed += right.failed
        left.shed += right.shed
    }
}

extension PipelineStatistics.Renders {
    fileprivate static func += (left: inout Self, right: Self) {
        left.started += right.started
        left.finished += right.finished
        left.failed += right.failed
        left.stopped += right.stopped
        left.preempted += right.preempted
        left.shared += right.shared
        left.spared += right.spared
        left.resampled += right.resampled
        left.wasted += right.wasted
        left.wastedMilliseconds += right.wastedMilliseconds
        left.totalMilliseconds += right.totalMilliseconds
    }
}

extension PipelineStatistics.Cache {
    fileprivate static func += (left: inout Self, right: Self) {
        left.lookups += right.lookups
        left.hits += right.hits
        left.insertions += right.insertions
        left.evictions += right.evictions
        left.packed += right.packed
        left.unpacked += right.unpacked
        left.peakByteCount = max(left.peakByteCount, right.peakByteCount)
    }
}

extension PipelineStatistics.Tiers {
    fileprivate static func += (left: inout Self, right: Self) {
        left.lookups += right.lookups
        left.hits += right.hits
        left.refusals += right.refusals
        left.sharedHits += right.sharedHits
        left.claims += right.claims
        left.awaited += right.awaited
    }
}

extension PipelineStatistics.Fetches {
    fileprivate static func += (left: inout Self, right: Self) {
        left.started += right.started
        left.finished += right.finished
        left.failed += right.failed
        left.stopped += right.stopped
        left.preempted += right.preempted
        left.byteCount += right.byteCount
    }
}
