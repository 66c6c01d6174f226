/// A lower bound on the number of blank cell-frames, which no strategy can stay under even if it knows the future.
///
/// The bound relaxes the problem: every render may begin at the start of the run, may be split among the workers at will, and
/// is kept for ever. The result is the higher of two bounds:
///
/// - frame by frame, all work so far goes to the cells of that frame;
/// - over all frames together, the same work has to serve all of them.
package struct BlankBound {
    /// A render of one image that is needed in the run.
    package struct Render {
        /// The least time that the render can take, in milliseconds.
        package var milliseconds: Double
        /// The frames in which a cell waits for the image: one range for each time that a cell was on the screen.
        package var appearances: [Range<Int>]

        package init(milliseconds: Double, appearances: [Range<Int>]) {
            self.milliseconds = milliseconds
            self.appearances = appearances
        }
    }

    private let renders: [Render]
    /// For each frame, the milliseconds of work that can have been done by then.
    private let work: [Double]

    /// - Parameter frameTimes: milliseconds from the start of the run to each frame, in order.
    package init(renders: [Render], frameTimes: [Double], workerCount: Int) {
        self.renders = renders
        // Times are rounded to nanoseconds elsewhere; the small addition keeps that from raising the bound.
        work = frameTimes.map { $0 * Double(workerCount) + 1e-4 }
    }

    package var blankCellFrames: Int {
        let coupled = CoupledBlankBound(renders: renders, work: work).blankCellFrames
        return max(frameByFrame, Int((coupled - 1e-6 * max(1, coupled)).rounded(.up)))
    }

    /// The blank cell-frames that each frame on its own makes unavoidable, if all work so far goes to its cells, the cheapest
    /// first.
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
            // In nearly every frame the work suffices for all images, so that no blank cell is unavoidable.
            if wanted > work { blank += unfilled(cells, work: work) }
        }
        return blank
    }

    /// Returns the number of cells of one frame that the work cannot fill, if it is spent where a millisecond fills the most
    /// cells.
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
