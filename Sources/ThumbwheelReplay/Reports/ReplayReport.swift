import Foundation

/// The outcome of a replay as one HTML file for people.
///
/// The file needs no other files, no scripts and nothing from a network. It follows the reader's light or dark setting, and
/// stays under a megabyte however long the runs were.
public struct ReplayReport: Sendable {
    let document: ReplayDocument
    let runs: [ReplayRun]
    let command: String
    let timelines: [RunTimeline]
    /// JPEG files by asset number.
    let thumbnails: [Int: Data]

    /// - Parameters:
    ///   - document: the host and the settings.
    ///   - runs: the runs of one trace, one for each strategy, in the order in which they are to be shown.
    ///   - command: the command line that plays the same replay again.
    ///   - thumbnails: small JPEG files of the assets of each run's worst second; missing ones are left blank.
    public init(document: ReplayDocument, runs: [ReplayRun], command: String, thumbnails: [Int: Data] = [:]) {
        self.document = document
        self.runs = runs
        self.command = command
        self.thumbnails = thumbnails
        let frameCount = runs.map(\.frames.count).max() ?? 0
        timelines = runs.map { RunTimeline(frames: $0.frames, frameCount: frameCount) }
    }

    /// The whole HTML file.
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
        "\(filmStrips)\n\(imageOrigins)\n\(latencyCurves)\n\(costsAndBenefits)\n\(cacheBytes)\n\(sweepCurves)\n\(worstSeconds)\n\(figures)"
    }

    /// The number of frames of the longest run, which is the length of every time axis.
    var frameCount: Int { runs.map(\.frames.count).max() ?? 0 }

    var framesPerSecond: Double {
        let asked = document.settings.workload.fps
        return asked.isFinite && asked > 0 ? asked : 60
    }

    var timeTicks: [PlotTick] { PlotTick.times(upTo: Double(frameCount) / framesPerSecond) }

    var columnCount: Int { RunTimeline.columnCount(frameCount: frameCount) }

    /// Returns the style sheet's colour class of a run. The colours start over if there are more runs than colours.
    func color(ofRun index: Int) -> Markup { "c\(index % ReportStyle.colorCount)" }

    /// Returns the legend, which shows the colour of each strategy.
    func legend(adding entries: Markup = "") -> Markup {
        let names = runs.enumerated().map { index, run -> Markup in
            "<li><i class=\"line \(color(ofRun: index))\"></i>\(run.strategy.rawValue)</li>"
        }
        return "<ul class=\"legend\">\(Markup(names))\(entries)</ul>"
    }
}
