import ThumbwheelRendering

extension DecoderStatistics {
    /// The statistics in Prometheus's text format, version 0.0.4, for a service's `/metrics`.
    public var prometheusText: String {
        var text = PrometheusText()
        text.counter(
            "decoder_processes_started", "Decoder processes started with all required protections.", started)
        text.counter(
            "decoder_processes_refused", "Decoder processes that the system did not grant a required protection.",
            refused)
        text.counter("decoder_jobs", "Jobs of decoder processes that have ended.", jobs)
        text.counter(
            "decoder_processes_ended", "Decoder processes that ended during their job, by the reason.", by: "reason",
            [("cancelled", cancelled), ("overdue", overdue), ("crashed", crashed)])
        text.gauge("decoder_processes_idle", "Decoder processes that wait for a job.", idle)
        // The protections are those of the sandbox around each decoder process, such as its filter of system calls.
        // Before the first decoder process has greeted, it is not known which of them the system grants, so the text
        // leaves them out.
        guard !containment.isEmpty || refused > 0 else { return text.text }
        text.gauge(
            "decoder_protection", "Protections that surround decoder processes: 1 if the system grants it.", by: "name",
            Containment.all.names.map { ($0, containment.names.contains($0) ? 1 : 0) })
        return text.text
    }
}
