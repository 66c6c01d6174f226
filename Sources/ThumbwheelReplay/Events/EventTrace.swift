import Foundation

/// Runs as time lines in the Chrome trace format (the JSON object form of the Trace Event Format), which Perfetto and
/// `chrome://tracing` load.
///
/// Each run is a process. Each of its workers is a track of renders, one more has the evictions; requests are asynchronous
/// slices, queue lengths and the budget are counters. Times are microseconds from the run's start. What has not ended with
/// the run is cut off there, and says so.
public struct EventTrace {
    private var lines: [String] = []

    /// Makes the time lines of some runs; runs that recorded no events are left out.
    public init(_ runs: [ReplayRun]) {
        for (index, run) in runs.enumerated() {
            guard let events = run.events else { continue }
            var timeline = RunEvents(events, process: index + 1)
            lines += timeline.lines(named: run.strategy.rawValue)
        }
    }

    /// The document. Equal runs are equal bytes.
    public var data: Data {
        var text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        text += lines.joined(separator: ",\n")
        text += "\n]}\n"
        return Data(text.utf8)
    }
}
