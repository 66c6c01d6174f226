import Foundation

/// What came of a replay, as one HTML file for people.
///
/// The file needs nothing beside itself, neither scripts nor anything from a network, follows the reader's light or dark
/// setting, and stays under a megabyte however long the runs were.
public struct ReplayReport: Sendable {
    let document: ReplayDocument
    let runs: [ReplayRun]
    let command: String
    let timelines: [RunTimeline]
    /// Files of the JPEG kind by asset.
    let thumbnails: [Int: Data]

    /// - Parameters:
    ///   - document: the host and the settings.
    ///   - runs: one for each strategy, in the order in which they are to be shown; all of the same trace.
    ///   - command: the command line that plays the same again.
    ///   - thumbnails: small JPEG files of the assets of each run's worst second; those that are missing are left blank.
    public init(document: ReplayDocument, runs: [ReplayRun], command: String, thumbnails: [Int: Data] = [:]) {
        self.document = document
        self.runs = runs
        self.command = command
        self.thumbnails = thumbnails
        let frameCount = runs.map(\.frames.count).max() ?? 0
        timelines = runs.map { RunTimeline(frames: $0.frames, frameCount: frameCount) }
    }

    /// The whole file.
    public var html: String {
        let workload = document.settings.workload
        let page = ReportPage(
            title: "Scroll replay: \(workload.scenario), seed \(String(workload.seed))",
            body: "\(summary)\n\(runs.isEmpty ? "" : results)\n\(provenance)")
        return page.html
    }
}

extension ReplayReport {
    private var results: Markup {
        "\(filmStrips)\n\(latencyCurves)\n\(costsAndBenefits)\n\(cacheBytes)\n\(sweepCurves)\n\(worstSeconds)\n\(figures)"
    }

    /// Frames of the longest run: the length of every time axis.
    var frameCount: Int { runs.map(\.frames.count).max() ?? 0 }

    var framesPerSecond: Double {
        let asked = document.settings.workload.fps
        return asked.isFinite && asked > 0 ? asked : 60
    }

    var timeTicks: [PlotTick] { PlotTick.times(upTo: Double(frameCount) / framesPerSecond) }

    var columnCount: Int { RunTimeline.columnCount(frameCount: frameCount) }

    /// Which colour of the style sheet a run has; they start over where there are more runs than colours.
    func color(ofRun index: Int) -> Markup { "c\(index % ReportStyle.colorCount)" }

    /// Which colour is which strategy.
    func legend(adding entries: Markup = "") -> Markup {
        let names = runs.enumerated().map { index, run -> Markup in
            "<li><i class=\"line \(color(ofRun: index))\"></i>\(run.strategy.rawValue)</li>"
        }
        return "<ul class=\"legend\">\(Markup(names))\(entries)</ul>"
    }
}
