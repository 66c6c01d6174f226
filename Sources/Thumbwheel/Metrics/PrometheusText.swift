import ThumbwheelPipeline

/// Writes figures in Prometheus's text format.
struct PrometheusText {
    private(set) var text = ""

    private mutating func head(_ name: String, _ help: String, _ type: String) -> String {
        text += "# HELP thumbwheel_\(name) \(help)\n# TYPE thumbwheel_\(name) \(type)\n"
        return "thumbwheel_\(name)"
    }

    mutating func counter(_ name: String, _ help: String, _ value: some Numeric) {
        let name = head(name + "_total", help, "counter")
        text += "\(name) \(value)\n"
    }

    mutating func counter(_ name: String, _ help: String, by label: String, _ values: [(name: String, count: Int)]) {
        let name = head(name + "_total", help, "counter")
        for value in values { text += "\(name){\(label)=\"\(value.name)\"} \(value.count)\n" }
    }

    mutating func gauge(_ name: String, _ help: String, by label: String, _ values: [(name: String, value: Int)]) {
        let name = head(name, help, "gauge")
        for value in values { text += "\(name){\(label)=\"\(value.name)\"} \(value.value)\n" }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        let name = head(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    /// Adds a histogram. In the Prometheus format, each bucket counts all values up to its bound, including those of
    /// the smaller buckets.
    mutating func histogram(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        let name = head(name, help, "histogram")
        var count = 0
        for (bound, classCount) in zip(LatencyHistogram.bounds, histogram.counts) {
            count += classCount
            text += "\(name)_bucket{le=\"\(bound / 1000)\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(histogram.totalMilliseconds / 1000)\n\(name)_count \(histogram.count)\n"
    }
}
