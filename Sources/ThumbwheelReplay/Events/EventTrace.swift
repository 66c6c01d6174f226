import Foundation

/// The time lines of replay runs in the Chrome trace format (the JSON object form of the Trace Event Format), which Perfetto
/// and `chrome://tracing` load.
///
/// Each run is a process. Each worker of the run is a track of renders, and one more track has the evictions. Requests are
/// asynchronous slices; queue lengths and the budget are counters. Times are microseconds from the run's start. Renders and
/// requests that have not ended with the run are cut off at its end and marked as unfinished.
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

    /// The bytes of the document, which are equal for equal runs.
    public var data: Data {
        var text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        text += lines.joined(separator: ",\n")
        text += "\n]}\n"
        return Data(text.utf8)
    }
}
