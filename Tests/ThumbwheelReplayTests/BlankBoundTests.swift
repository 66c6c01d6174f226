import Testing
import Thumbwheel

@testable import ThumbwheelReplay

@Suite("BlankBound")
struct BlankBoundTests {
    /// A small grid's run: a frame every ten milliseconds.
    private struct Case {
        var renders: [BlankBound.Render] = []
        var frameTimes: [Double]
        var workerCount: Int

        init(_ generator: inout SeededGenerator) {
            let frameCount = 2 + generator.index(below: 12)
            frameTimes = (0..<frameCount).map { Double($0) * 10 }
            workerCount = 1 + generator.index(below: 2)
            for _ in 0..<1 + generator.index(below: 6) {
                let appearances = (0..<1 + generator.index(below: 2)).map { _ in
                    let first = generator.index(below: frameCount)
                    return first..<first + 1 + generator.index(below: frameCount - first)
                }
                renders.append(
                    BlankBound.Render(milliseconds: generator.value(in: 1...40), appearances: appearances))
            }
        }

        var bound: BlankBound { BlankBound(renders: renders, frameTimes: frameTimes, workerCount: workerCount) }

        /// The fewest blank cell-frames of any schedule: each order of renders, each given to whichever worker is free first.
        var optimum: Int {
            var best = Int.max
            search(Array(renders.indices), workers: Array(repeating: 0, count: workerCount), blank: 0, best: &best)
            return best
        }

        private func search(_ rest: [Int], workers: [Double], blank: Int, best: inout Int) {
            guard blank < best else { return }
            guard !rest.isEmpty else {
                best = blank
                return
            }
            for (position, render) in rest.enumerated() {
                var (rest, workers) = (rest, workers)
                rest.remove(at: position)
                let worker = workers.indices.min { workers[$0] < workers[$1] }!
                workers[worker] += renders[render].milliseconds
                let missed = renders[render].appearances.joined().count { frameTimes[$0] < workers[worker] }
                search(rest, workers: workers, blank: blank + missed, best: &best)
            }
        }
    }

    @Test("no schedule stays under it, on a thousand small random traces, and it is not far below the best")
    func exhaustive() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var (bounds, optima) = (0, 0)
        for number in 0..<1000 {
            let trace = Case(&generator)
            let (bound, optimum) = (trace.bound.blankCellFrames, trace.optimum)
            #expect(bound <= optimum, "seed \(seed), trace \(number): \(trace)")
            #expect(bound >= trace.bound.frameByFrame, "seed \(seed), trace \(number)")
            bounds += bound
            optima += optimum
        }
        #expect(Double(bounds) > 0.75 * Double(optima), "seed \(seed): \(bounds) of \(optima)")
    }

    @Test("it counts what the work done by a frame cannot fill")
    func frameByFrame() {
        let bound = BlankBound(
            renders: [
                BlankBound.Render(milliseconds: 10, appearances: [0..<3]),
                BlankBound.Render(milliseconds: 15, appearances: [0..<3]),
                BlankBound.Render(milliseconds: 1, appearances: [0..<3]),
            ], frameTimes: [0, 10, 100], workerCount: 2)
        // Nothing at first; then 20 ms of work fill two of the three.
        #expect(bound.frameByFrame == 4)
        #expect(bound.blankCellFrames == 4)
    }

    @Test("what is too much for all frames together is blank, though each by itself could be filled")
    func coupled() {
        // A scroll that shows a new image of 20 ms in each frame of 10 ms, for ten frames: half the work can be done.
        let renders = (30..<1000).map {
            BlankBound.Render(milliseconds: 20, appearances: [$0..<$0 + 10])
        }
        let bound = BlankBound(renders: renders, frameTimes: (0..<1010).map { Double($0) * 10 }, workerCount: 1)
        #expect(bound.frameByFrame == 0)
        let half = renders.count * 10 / 2
        #expect((half * 8 / 10...half).contains(bound.blankCellFrames), "\(bound.blankCellFrames) of \(half)")
    }

    @Test("a render that several cells wait for is counted once as work, and every cell as a hole")
    func sharedRenders() {
        let render = BlankBound.Render(milliseconds: 25, appearances: [0..<5, 0..<5, 2..<5])
        let bound = BlankBound(renders: [render], frameTimes: [0, 10, 20, 30, 40], workerCount: 1)
        // Seven are blank in truth; the bound lets the two fifths and four fifths that are done by then fill cells.
        #expect((5...7).contains(bound.blankCellFrames))
    }

    @Test("nothing to do, and nothing to show, bound nothing")
    func empty() {
        #expect(BlankBound(renders: [], frameTimes: [0, 10], workerCount: 1).blankCellFrames == 0)
        #expect(BlankBound(renders: [], frameTimes: [], workerCount: 1).blankCellFrames == 0)
    }
}
