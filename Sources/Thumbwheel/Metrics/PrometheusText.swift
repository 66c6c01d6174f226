import ThumbwheelPipeline

/// Writes metrics in Prometheus's text format, version 0.0.4. Names are given without the prefix that all of them share.
package struct PrometheusText {
    package enum Kind: String {
        case counter, gauge, histogram
    }

    package private(set) var text = ""

    package init() {}

    /// Begins a metric. Its values follow.
    package mutating func begin(_ name: String, _ help: String, _ kind: Kind) {
        text += "# HELP thumbwheel_\(name) \(help)\n# TYPE thumbwheel_\(name) \(kind.rawValue)\n"
    }

    /// Adds a value of the metric that was begun last.
    package mutating func value(_ name: String, _ value: some Numeric, of labels: [(String, String)] = []) {
        let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "thumbwheel_\(name)" + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
    }

    /// Adds the values of a histogram. In the format, each bucket counts all values up to its bound, including those of the
    /// smaller buckets.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds of the classes, in seconds.
    ///   - counts: the number of values in each class, and last of those above all bounds.
    ///   - sum: the sum of all values, in seconds.
    package mutating func values(
        _ name: String, of labels: [(String, String)] = [], bounds: [Double], counts: [Int], sum: Double
    ) {
        var count = 0
        for (bound, classCount) in zip(bounds, counts) {
            count += classCount
            value(name + "_bucket", count, of: labels + [("le", "\(bound)")])
        }
        count = counts.reduce(0, +)
        value(name + "_bucket", count, of: labels + [("le", "+Inf")])
        value(name + "_sum", sum, of: labels)
        value(name + "_count", count, of: labels)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

// MARK: Whole metrics

extension PrometheusText {
    mutating func counter(_ name: String, _ help: String, _ value: some Numeric) {
        begin(name + "_total", help, .counter)
        self.value(name + "_total", value)
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        begin(name, help, .gauge)
        self.value(name, value)
    }

    mutating func counter(_ name: String, _ help: String, by label: String, _ values: [(name: String, count: Int)]) {
        begin(name + "_total", help, .counter)
        for value in values { self.value(name + "_total", value.count, of: [(label, value.name)]) }
    }

    mutating func gauge(_ name: String, _ help: String, by label: String, _ values: [(name: String, value: Int)]) {
        begin(name, help, .gauge)
        for value in values { self.value(name, value.value, of: [(label, value.name)]) }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        begin(name, help, .histogram)
        values(
            name, bounds: LatencyHistogram.bounds.map { $0 / 1000 }, counts: histogram.counts,
            sum: histogram.totalMilliseconds / 1000)
    }
}
