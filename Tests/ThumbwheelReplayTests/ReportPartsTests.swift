import Testing
import Thumbwheel

@testable import ThumbwheelReplay

struct RunTimelineTests {
    @Test("columns hold every frame once, and no peak is lost", arguments: [1, 479, 480, 481, 1200, 5003])
    func columnSums(frameCount: Int) {
        var samples = SampleRuns(seed: UInt64(frameCount))
        samples.frameCount = frameCount
        let run = samples.run(.naive, trouble: 0.7)

        let timeline = RunTimeline(frames: run.frames, frameCount: frameCount)

        var sum = CellCounts()
        for column in timeline.columns { sum += column.counts }
        #expect(sum == run.counts)
        #expect(timeline.columns.count == min(frameCount, RunTimeline.columnLimit))
        #expect(timeline.columns.allSatisfy { $0.counts.frames > 0 })
        #expect(timeline.columns.map(\.cachedByteCount).max() == run.frames.map(\.cachedByteCount).max())
    }

    @Test("a run that ended early takes its part of the longest one\u{2019}s axis")
    func shorterRun() {
        var samples = SampleRuns()
        samples.frameCount = 600
        let run = samples.run(.naive, trouble: 0.7)

        #expect(RunTimeline(frames: run.frames, frameCount: 1200).columns.count == 240)
        #expect(RunTimeline(frames: [], frameCount: 1200).columns.isEmpty)
        #expect(RunTimeline(frames: [], frameCount: 0).columns.isEmpty)
    }
}

struct LatencyCurveTests {
    @Test("cells without an image keep the curve below the whole")
    func neverFilled() {
        let curve = LatencyCurve(latencies: [30, 0, 10, 10], cellCount: 5)

        #expect(curve.share(atMost: 0) == 0.2)
        #expect(curve.share(atMost: 9.9) == 0.2)
        #expect(curve.share(atMost: 10) == 0.6)
        #expect(curve.share(atMost: 1e9) == 0.8)
        #expect(LatencyCurve(latencies: [], cellCount: 0).share(atMost: 1) == 0)
    }

    @Test("the scale runs from nought past the longest latency, and back", arguments: [0, 99, 101, 4321, 1e8])
    func scale(longest: Double) {
        let scale = LatencyScale(framesPerSecond: 60, longest: longest)

        #expect(scale.position(0) == 0)
        #expect(scale.position(scale.maximum) == 1)
        #expect(scale.maximum >= longest)
        for position in stride(from: 0.0, through: 1, by: 0.125) {
            #expect(abs(scale.position(scale.milliseconds(at: position)) - position) < 1e-9)
        }
        #expect(scale.ticks.allSatisfy { (0...1).contains($0.position) })
    }
}

struct PlotTests {
    @Test("equal neighbours are one step, and what has no height is not drawn")
    func paths() {
        #expect(PlotPath.columns([1, 1, 0.5]) == "M0 1000V0H2V500H3V1000Z")
        #expect(PlotPath.columns([0, 0]) == "")
        #expect(PlotPath.columns([]) == "")
        #expect(PlotPath.line([0, 0, 0, 1]) == "M0 1000L2 1000L3 0")
        #expect(PlotPath.line([.nan, 2]) == "M0 1000L1 0")
        #expect(PlotPath.line([]) == "")
    }

    @Test("axes have few labels, from their beginning to their end")
    func ticks() {
        #expect(PlotTick.times(upTo: 20).map(\.label).last == "20\u{202F}s")
        #expect(PlotTick.bytes(upTo: 64 << 20).map(\.label).last == "64\u{202F}MiB")
        for seconds in [0, 0.05, 1, 20, 61, 3600, 1e6] {
            #expect(PlotTick.times(upTo: seconds).count <= 11)
        }
        for bytes in [0, 1, 1000, 1 << 40] { #expect(PlotTick.bytes(upTo: bytes).count <= 6) }
    }
}

struct FigureFormatTests {
    @Test("figures are grouped, rounded and never claim more than they know")
    func figures() {
        #expect(FigureFormat.count(1_234_567) == "1\u{202F}234\u{202F}567")
        #expect(FigureFormat.count(-12) == "\u{2212}12")
        #expect(FigureFormat.decimal(1234.05, places: 2) == "1\u{202F}234.05")
        #expect(FigureFormat.decimal(-0.01) == "0.0")
        #expect(FigureFormat.decimal(.nan) == "\u{2013}")
        #expect(FigureFormat.decimal(-.infinity) == "\u{2212}\u{221E}")
        #expect(FigureFormat.short(60) == "60")
        #expect(FigureFormat.short(59.94) == "59.94")
        #expect(FigureFormat.short(0.1) == "0.1")
        #expect(FigureFormat.share(0, of: 10) == "0\u{202F}%")
        #expect(FigureFormat.share(1, of: 1_000_000) == "< 0.01\u{202F}%")
        #expect(FigureFormat.share(999_999, of: 1_000_000) == "> 99.99\u{202F}%")
        #expect(FigureFormat.share(10, of: 10) == "100.00\u{202F}%")
        #expect(FigureFormat.share(1, of: 0) == "\u{2013}")
        #expect(FigureFormat.bytes(64 << 20) == "64\u{202F}MiB")
        #expect(FigureFormat.bytes(1_600_000) == "1.5\u{202F}MiB")
        #expect(FigureFormat.latency(milliseconds: 26.44) == "26.4\u{202F}ms")
        #expect(FigureFormat.latency(milliseconds: 1234) == "1.23\u{202F}s")
    }
}
