import ThumbwheelCaching

extension StoreStatistics {
    /// The statistics in Prometheus's text format, version 0.0.4, for a service's `/metrics`.
    public var prometheusText: String {
        var text = PrometheusText()
        text.counter(
            "store_lookups", "Look-ups in the store on disk, by what they found.", by: "outcome",
            [("hit", hits), ("miss", misses)])
        text.counter("store_hit_bytes", "Bytes of the values that look-ups have found.", hitByteCount)
        text.counter(
            "store_saved_seconds", "Time that making the found values had taken.", savedMilliseconds / 1_000)
        text.counter("store_writes", "Values written.", writes)
        text.counter("store_drops", "Values not written, because too many waited or the store failed.", drops)
        text.counter("store_evictions", "Values removed to stay below the byte limit.", evictions)
        text.counter("store_damaged", "Values whose bytes were found to be damaged.", damaged)
        text.gauge("store_queued_bytes", "Bytes that wait to be written.", queuedByteCount)
        text.gauge("store_bytes", "Bytes of the store when this process last wrote.", byteCount)
        text.gauge(
            "store_failing", "Whether values cannot be read or written at the moment: 1 if so.", failure == nil ? 0 : 1)
        return text.text
    }
}
