import ThumbwheelCaching

extension SharedStoreStatistics {
    /// The statistics in Prometheus's text format, version 0.0.4, for a service's `/metrics`.
    public var prometheusText: String {
        var text = PrometheusText()
        text.counter(
            "shared_store_lookups", "Look-ups in the store that servers share, by what they found.", by: "outcome",
            [("hit", hits), ("miss", misses), ("unanswered", unanswered)])
        text.counter("shared_store_hit_bytes", "Bytes of the values that look-ups have found.", hitByteCount)
        text.counter(
            "shared_store_saved_seconds", "Time that making the found values had taken.", savedMilliseconds / 1_000)
        text.counter("shared_store_writes", "Values written.", writes)
        text.counter("shared_store_written_bytes", "Bytes of the values written.", writtenByteCount)
        text.counter(
            "shared_store_drops", "Values not written: too large, too many on their way, or the store not used.", drops)
        text.counter(
            "shared_store_claims", "Claims of the making of values, by how they ended.", by: "outcome",
            [("won", claimsWon), ("awaited", claimsAwaited)])
        text.counter("shared_store_damaged", "Values that were damaged, or belonged to another key.", damaged)
        text.counter("shared_store_failures", "Times that the store was found to have failed.", failures)
        text.gauge(
            "shared_store_failing", "Whether the store is not used at the moment: 1 if so.", failure == nil ? 0 : 1)
        return text.text
    }
}
