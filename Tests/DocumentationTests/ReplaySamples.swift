import Foundation
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelReplay

/// The article on replays.
enum ReplaySamples {
    static func virtual(_ trace: ScrollTrace) -> ReplayRun {
        // begin virtual
        let settings = ReplaySettings(workerCount: 8, budget: 256 << 20)
        let player = VirtualPlayer(settings: settings, assetCount: 100_000, costs: .builtIn(seed: 1))
        let run = player.play(trace, strategy: .thumbwheel)
        print(run.warm.blank, "of", run.warm.cellFrames, "cell-frames blank; no strategy under", run.blankBound)
        // end
        return run
    }

    static func record(_ layout: GridLayout) throws -> Data {
        // begin record
        let trace = ScrollTrace(layout: layout, samples: [.init(time: 0, offset: 0), .init(time: 500, offset: 3600)])
        try trace.jsonLines.write(to: URL(fileURLWithPath: "fling.jsonl"))
        // end
        return trace.jsonLines
    }
}
