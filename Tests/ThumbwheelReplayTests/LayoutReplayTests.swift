import Foundation
import Testing
import Thumbwheel
import ThumbwheelGrid

@testable import ThumbwheelReplay

/// Replays over layouts that are no plain grid.
@Suite struct LayoutReplayTests {
    private static func grid(_ axis: ScrollAxis) -> GridLayout {
        GridLayout(
            columnCount: 4, cell: LayoutSize(width: 250, height: 250), spacing: LayoutSize(width: 6, height: 8),
            insets: LayoutInsets(12), axis: axis, viewport: PixelSize(width: 1042, height: 1040))
    }

    private static let layouts: [(LayoutKind, ScrollAxis)] = LayoutKind.allCases.flatMap { kind in
        ScrollAxis.allCases.map { (kind, $0) }
    }

    @Test("every scenario and strategy plays over every layout, and no cell shows another image", arguments: layouts)
    func plays(kind: LayoutKind, axis: ScrollAxis) {
        let player = VirtualPlayer(settings: ReplaySettings(), assetCount: 3000, costs: .builtIn(seed: 1))
        for scenario in Scenario.allCases {
            let trace = scenario.trace(seed: 1, layout: Self.grid(axis), kind: kind, itemCount: 3000, seconds: 4)
            for strategy in ReplayStrategy.allCases {
                let run = player.play(trace, strategy: strategy, scenario: scenario)
                #expect(run.mismatched == 0 && run.counts.cellFrames > 240, "\(scenario), \(strategy)")
                #expect(run.blankBound <= run.counts.blank, "\(scenario), \(strategy)")
                // At rest at the end, or nearly so, there is something to see.
                #expect(run.counts.final > 0, "\(scenario), \(strategy)")
            }
        }
    }

    @Test("a window leaves fewer holes than none, in every layout", arguments: layouts)
    func windowsHelp(kind: LayoutKind, axis: ScrollAxis) {
        let player = VirtualPlayer(
            settings: ReplaySettings(deliveryMode: .highQuality), assetCount: 20_000, costs: .builtIn(seed: 1))
        var blanks: [ReplayStrategy: Int] = [:]
        for seed in UInt64(1)...3 {
            let trace = Scenario.brisk.trace(
                seed: seed, layout: Self.grid(axis), kind: kind, itemCount: 20_000, seconds: 20)
            for strategy in [ReplayStrategy.thumbwheel, .naive] {
                blanks[strategy, default: 0] += player.play(trace, strategy: strategy).warm.blank
            }
        }
        #expect(blanks[.naive]! > 0)
        #expect(blanks[.thumbwheel]! * 2 < blanks[.naive]!, "\(blanks)")
    }

    @Test("the layout follows each edit as if it were made anew", arguments: layouts)
    func edits(kind: LayoutKind, axis: ScrollAxis) {
        for scenario in [Scenario.growing, .albums] {
            let grid = Self.grid(axis)
            let trace = scenario.trace(seed: 2, layout: grid, kind: kind, itemCount: 500, seconds: 10)
            var contents = trace.laidOutContents(assetCount: 500)
            #expect(!trace.events.isEmpty)
            for event in trace.events {
                contents.apply(event.edit)
                let anew = kind.layout(of: contents.list, in: grid)
                #expect(contents.layout.itemCount == contents.list.count)
                #expect(contents.layout.contentSize == anew.contentSize)
                for item in 0..<anew.itemCount where contents.layout.rect(of: item) != anew.rect(of: item) {
                    Issue.record("item \(item) after \(event)")
                    return
                }
            }
        }
    }

    @Test("a trace keeps its layout over a file, and a plain grid's header is as it was", arguments: layouts)
    func files(kind: LayoutKind, axis: ScrollAxis) throws {
        var layout = Self.grid(axis)
        layout.cell.height = 300
        let samples = [ScrollTrace.Sample(time: 0, offset: 0), ScrollTrace.Sample(time: 100, offset: 50)]
        let trace = ScrollTrace(layout: layout, kind: kind, samples: samples)
        #expect(try ScrollTrace(jsonLines: trace.jsonLines) == trace)
        let plain = ScrollTrace(
            layout: GridLayout(columnCount: 4, cellSide: 180, viewport: PixelSize(width: 720, height: 1440)),
            samples: samples)
        let header = String(decoding: plain.jsonLines.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(header == #"{"cell":180,"columns":4,"thumbwheelTrace":1,"viewport":[720,1440]}"#)
    }

    @Test(
        "a header with a layout that cannot be is refused",
        arguments: [
            #""layout":"towers""#, #""axis":"diagonal""#, #""spacing":[1]"#, #""spacing":[-1,0]"#,
            #""insets":[0,800,0,800]"#, #""insets":[1,2,3]"#, #""cellHeight":0"#,
        ])
    func badHeaders(part: String) {
        let header = #"{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440],"# + part + "}"
        #expect(throws: ScrollTraceError.self) {
            try ScrollTrace(jsonLines: Data((header + "\n{\"t\":0,\"y\":0}\n").utf8))
        }
    }
}
