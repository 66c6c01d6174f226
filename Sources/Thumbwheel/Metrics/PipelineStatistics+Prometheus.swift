extension PipelineStatistics {
    /// The statistics in Prometheus's text format, version 0.0.4, for a service's `/metrics`.
    public var prometheusText: String {
        var text = PrometheusText()
        text.counter(
            "requests", "Requests for images, by how they ended.",
            by: "outcome",
            [
                ("delivered", requests.delivered), ("cancelled", requests.cancelled), ("failed", requests.failed),
                ("shed", requests.shed),
            ])
        text.counter("requests_submitted", "Requests for images.", requests.submitted)
        text.counter("requests_coalesced", "Requests that joined a render already asked for.", requests.coalesced)
        text.counter("renders_started", "Renders started.", renders.started)
        text.counter(
            "renders", "Renders, by how they ended.", by: "outcome",
            [
                ("finished", renders.finished), ("failed", renders.failed), ("stopped", renders.stopped),
                ("preempted", renders.preempted),
            ])
        text.counter(
            "renditions_shared", "Renditions of the decode that a render was started for another by.", renders.shared)
        text.counter(
            "renders_spared", "Renders not begun because an earlier one found that the file cannot be rendered.",
            renders.spared)
        text.counter("renders_resampled", "Renders of a better cached rendition.", renders.resampled)
        text.counter("fetches_started", "Transfers of files over the network started.", fetches.started)
        text.counter(
            "fetches", "Transfers of files over the network, by how they ended.", by: "outcome",
            [
                ("finished", fetches.finished), ("failed", fetches.failed), ("stopped", fetches.stopped),
                ("preempted", fetches.preempted),
            ])
        text.counter("fetched_bytes", "Bytes of files brought over the network.", fetches.byteCount)
        text.counter("tier_lookups", "Look-ups of renditions in stores, on disk and shared.", tiers.lookups)
        text.counter("tier_hits", "Look-ups in stores that found the rendition.", tiers.hits)
        text.counter("tier_shared_hits", "Look-ups that found it in the store that servers share.", tiers.sharedHits)
        text.counter(
            "tier_refusals", "Look-ups in stores that found that the rendition cannot be made.", tiers.refusals)
        text.counter(
            "tier_claims", "Renditions for which the other servers were asked whether one makes them.", tiers.claims)
        text.counter("tier_awaited", "Renditions awaited until another server had made them.", tiers.awaited)
        text.counter("renders_wasted", "Renders that gave nobody anything.", renders.wasted)
        text.counter("render_seconds", "Time of renders.", renders.totalMilliseconds / 1000)
        text.counter("render_wasted_seconds", "Time of wasted renders.", renders.wastedMilliseconds / 1000)
        text.counter("cache_lookups", "Look-ups of visible requests.", cache.lookups)
        text.counter("cache_hits", "Look-ups that found a rendition.", cache.hits)
        text.counter("cache_misses", "Look-ups that found none.", cache.misses)
        text.counter("cache_insertions", "Renditions cached.", cache.insertions)
        text.counter("cache_evictions", "Renditions given up.", cache.evictions)
        text.counter("cache_packed", "Bitmaps packed.", cache.packed)
        text.counter("cache_unpacked", "Bitmaps brought back from where they were packed.", cache.unpacked)
        text.gauge("cache_packed_bytes", "Bytes of packed bitmaps.", packedByteCount)
        text.gauge("cache_bytes", "Bytes of cached renditions.", cachedByteCount)
        text.gauge("cache_peak_bytes", "Bytes of cached renditions, at most.", cache.peakByteCount)
        text.gauge("budget_used_bytes", "Bytes in use of the memory budget.", budgetUsedByteCount)
        text.gauge("budget_peak_bytes", "Bytes in use of the memory budget, at most.", budgetPeakByteCount)
        text.gauge("budget_limit_bytes", "Bytes that the memory budget grants.", budgetLimitByteCount)
        text.gauge("memory_pressure", "How short memory is: 0 not at all, 4 critically.", memoryPressure.rawValue)
        text.gauge("renders_queued", "Renders that wait.", queuedRenderCount)
        text.gauge("renders_running", "Renders that run.", runningRenderCount)
        text.gauge("fetches_queued", "Transfers that wait.", queuedFetchCount)
        text.gauge("fetches_running", "Transfers that run.", runningFetchCount)
        text.gauge("requests_live", "Requests that have not ended.", liveRequestCount)
        text.histogram("first_image_seconds", "From a request to its first image.", firstImage)
        text.histogram("final_image_seconds", "From a request to its final image.", finalImage)
        return text.text
    }
}
