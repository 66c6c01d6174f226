/// A number of blank cell-frames that no strategy can stay under, whatever it knows of the future.
///
/// The relaxation: every render may be begun at the start of the run, be split among the workers at will, and is kept for
/// ever. Two bounds come of it, and the higher one counts: frame by frame, where all work so far went to the cells of that
/// frame; and over all frames together, where the work has to do for all of them.
package struct BlankBound {
    /// One image that is to be made.
    package struct Render {
        /// The least that it can take, in milliseconds.
        package var milliseconds: Double
        /// In which frames a cell waits for it: one stretch for each time that one was on the screen.
        package var appearances: [Range<Int>]

        package init(milliseconds: Double, appearances: [Range<Int>]) {
            self.milliseconds = milliseconds
            self.appearances = appearances
        }
    }

    private let renders: [Render]
    /// By frame, the milliseconds of work that can have been done by then.
    private let work: [Double]

    /// - Parameter frameTimes: milliseconds from the start of the run to each frame, in order.
    package init(renders: [Render], frameTimes: [Double], workerCount: Int) {
        self.renders = renders
        // Times are rounded to nanoseconds elsewhere; a bound must not gain by that.
        work = frameTimes.map { $0 * Double(workerCount) + 1e-4 }
    }

    package var blankCellFrames: Int {
        let coupled = CoupledBlankBound(renders: renders, work: work).blankCellFrames
        return max(frameByFrame, Int((coupled - 1e-6 * max(1, coupled)).rounded(.up)))
    }

    /// What each frame on its own makes unavoidable: all work so far goes to its cells, the cheapest first.
    package var frameByFrame: Int {
        var changes: [(frame: Int, render: Int, cells: Int)] = []
        for (index, render) in renders.enumerated() {
            for frames in render.appearances {
                changes.append((frames.lowerBound, index, 1))
                changes.append((frames.upperBound, index, -1))
            }
        }
        changes.sort { ($0.frame, $0.render, $0.cells) < ($1.frame, $1.render, $1.cells) }
        var next = changes[...]
        var cells: [Int: Int] = [:]
        var blank = 0
        var wanted = 0.0
        for (frame, work) in work.enumerated() {
            while let change = next.first, change.frame <= frame {
                next.removeFirst()
                let before = cells[change.render, default: 0]
                cells[change.render] = before + change.cells == 0 ? nil : before + change.cells
                let milliseconds = renders[change.render].milliseconds
                if before == 0 { wanted += milliseconds }
                if before + change.cells == 0 { wanted -= milliseconds }
            }
            // Everything fits in nearly every frame.
            if wanted > work { blank += unfilled(cells, work: work) }
        }
        return blank
    }

    /// Cells of one frame that so much work cannot fill, if it is spent where a millisecond fills most.
    private func unfilled(_ cells: [Int: Int], work: Double) -> Int {
        let order = cells.sorted { one, other in
            let (first, second) = (renders[one.key].milliseconds, renders[other.key].milliseconds)
            return first * Double(other.value) < second * Double(one.value)
        }
        var left = work
        var filled = 0.0
        for (index, count) in order {
            let milliseconds = renders[index].milliseconds
            filled += milliseconds <= left ? Double(count) : Double(count) * left / milliseconds
            left -= milliseconds
            if left <= 0 { break }
        }
        return cells.values.reduce(0, +) - Int(filled + 1e-9)
    }
}
