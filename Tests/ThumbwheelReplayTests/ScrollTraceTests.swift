import Foundation
import Testing
import Thumbwheel
import ThumbwheelGrid

@testable import ThumbwheelReplay

@Suite("ScrollTrace")
struct ScrollTraceTests {
    private static let layout = GridLayout(
        columnCount: 4, cellSide: 180, viewport: PixelSize(width: 720, height: 1440))

    private static let header = #"{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720,1440]}"#

    @Test("what is written reads the same again")
    func roundTrip() throws {
        for scenario in Scenario.allCases {
            let trace = scenario.trace(seed: 7, layout: Self.layout, itemCount: 5000, seconds: 5)
            #expect(try ScrollTrace(jsonLines: trace.jsonLines) == trace)
        }
    }

    @Test("edits are seen in the frame of their time, with the sample of that time")
    func schedule() {
        let trace = ScrollTrace(
            layout: Self.layout,
            samples: [
                .init(time: 0, offset: 0), .init(time: 30, offset: 0), .init(time: 30, offset: 99),
                .init(time: 60, offset: 99),
            ],
            events: [.init(time: 0, edit: .remove(at: 1)), .init(time: 30, edit: .enter(1..<3))], itemCount: 9,
            assetCount: 9)
        let frames = trace.schedule(framesPerSecond: 50)
        #expect(frames.map(\.offset) == [0, 0, 99])
        #expect(frames.map { $0.edits.map(\.edit) } == [[.remove(at: 1)], [], [.enter(1..<3)]])
    }

    @Test("offsets lie on the straight line between samples")
    func interpolation() {
        let trace = ScrollTrace(
            layout: Self.layout,
            samples: [.init(time: 100, offset: 0), .init(time: 200, offset: 50), .init(time: 300, offset: 50)])
        #expect(trace.frames(perSecond: 40) == [0, 12.5, 25, 37.5, 50, 50, 50, 50])
    }

    private static let damaged: [(lines: [String], line: Int)] = [
        ([], 1), (["nonsense"], 1), ([#"{"thumbwheelTrace":2,"columns":4,"cell":180,"viewport":[720,1440]}"#], 1),
        ([#"{"thumbwheelTrace":1,"columns":0,"cell":180,"viewport":[720,1440]}"#], 1),
        ([#"{"thumbwheelTrace":1,"columns":4,"cell":-1,"viewport":[720,1440]}"#], 1),
        ([#"{"thumbwheelTrace":1,"columns":4,"cell":180,"viewport":[720]}"#], 1), ([header], 2),
        ([header, #"{"t":0,"y":0}"#, #"{"t":-1,"y":0}"#], 3), ([header, #"{"t":0,"y":NaN}"#], 2),
        ([header, #"{"t":0}"#], 2), ([header, #"{"t":1e300,"y":0}"#], 2), ([header, "", "", "[1]"], 4),
        ([header, #"{"t":0,"remove":1}"#], 2), ([editable, #"{"t":0,"y":0}"#, #"{"t":5,"remove":10}"#], 3),
        ([editable, #"{"t":0,"y":0}"#, #"{"t":5,"insert":[3,0]}"#], 3), ([editable, #"{"t":0,"leave":true}"#], 2),
        ([editable, #"{"t":0,"move":[1]}"#], 2), ([editable, #"{"t":0,"enter":[5,3]}"#], 2),
        ([editable, #"{"t":9,"remove":1}"#, #"{"t":8,"y":0}"#], 3), ([editable, #"{"t":0,"remove":1,"change":2}"#], 2),
        ([header.replacing("}", with: #","items":30,"assets":20}"#)], 1),
        ([header.replacing("}", with: #","items":30}"#)], 1),
    ]
    private static let editable = header.replacing("}", with: #","items":10,"assets":20}"#)

    @Test("errors name the line", arguments: damaged)
    func errors(_ lines: [String], line: Int) {
        #expect {
            try ScrollTrace(jsonLines: Data(lines.joined(separator: "\n").utf8))
        } throws: { error in
            (error as? ScrollTraceError)?.line == line
        }
    }
}

@Suite("Scenario")
struct ScenarioTests {
    private let layout = GridLayout(columnCount: 4, cellSide: 256, viewport: PixelSize(width: 1024, height: 2048))

    @Test("equal seeds give equal scrolls, others give others", arguments: Scenario.allCases)
    func seeds(_ scenario: Scenario) {
        func trace(_ seed: UInt64) -> ScrollTrace {
            scenario.trace(seed: seed, layout: layout, itemCount: 5000, seconds: 10)
        }
        #expect(trace(1) == trace(1))
        #expect(trace(1) != trace(2))
    }

    @Test("the view stays within the grid, for as long as was asked", arguments: Scenario.allCases)
    func bounds(_ scenario: Scenario) {
        for itemCount in [1, 33, 300, 20_000] {
            for seed in UInt64(1)...5 {
                let trace = scenario.trace(seed: seed, layout: layout, itemCount: itemCount, seconds: 8)
                let bottom = layout.maximumOffset(itemCount: itemCount)
                #expect(trace.samples.allSatisfy { (0...bottom).contains($0.offset) })
                #expect(trace.milliseconds == 8000)
            }
        }
    }

    @Test("albums are entered and left, the popular ones more often")
    func albums() {
        let events = Scenario.albums.trace(seed: 1, layout: layout, itemCount: 20_000, seconds: 1200).events
        var visits: [Range<Int>: Int] = [:]
        for case .enter(let album) in events.map(\.edit) { visits[album, default: 0] += 1 }
        #expect(events.count { $0.edit == .leave } == visits.values.reduce(0, +))
        #expect(visits.count > 20)
        #expect(visits.values.max()! > 4 * visits.values.reduce(0, +) / 100)
    }

    @Test("mixed plays all the others")
    func mixed() {
        let trace = Scenario.mixed.trace(seed: 1, layout: layout, itemCount: 20_000, seconds: 40)
        #expect(trace.events.contains { if case .enter = $0.edit { true } else { false } })
        #expect(trace.events.contains { if case .insert = $0.edit { true } else { false } })
        #expect(trace.samples.map(\.offset).max()! > 100_000)
    }

    @Test("faster scenarios go farther")
    func speeds() {
        func path(_ scenario: Scenario) -> Double {
            (UInt64(1)...10).reduce(0) { sum, seed in
                let samples = scenario.trace(seed: seed, layout: layout, itemCount: 100_000, seconds: 20).samples
                return sum + zip(samples, samples.dropFirst()).reduce(0) { $0 + abs($1.1.offset - $1.0.offset) }
            }
        }
        #expect(path(.gentle) * 1.5 < path(.brisk))
        #expect(path(.brisk) * 1.5 < path(.hard))
    }
}
