/// The bound over all frames together, by Lagrange's multipliers.
///
/// A render that is done by a frame leaves blank the cell-frames before it. Work has a price that falls with time, for work
/// of an earlier time can stand for that of a later one; each render chooses by itself when to be done, if ever, so that its
/// blank cell-frames and the price of its work are least. The sum over all renders, less the price of all the work that
/// there is, bounds the blanks from below whatever the prices; the search for good ones goes on as long as it pays.
struct CoupledBlankBound {
    /// A moment at which a render may be done.
    private struct Choice {
        let period: Int
        let blank: Double
    }

    /// The frames at which periods of one price begin: one frame each at first, later longer and longer.
    private let starts: [Int]
    /// By the end of each period.
    private let work: [Double]
    private let costs: [Double]
    /// The renders' choices one after another, and where each render's end.
    private var choices: [Choice] = []
    private var choiceEnds: [Int] = []
    /// What is left blank if a render is never made.
    private var cellFrames: [Double] = []

    private static let growth = 1.02
    private static let rounds = 16

    init(renders: [BlankBound.Render], work: [Double]) {
        var starts = work.isEmpty ? [] : [0]
        while let last = starts.last {
            let next = max(last + 1, Int(Double(last) * Self.growth))
            guard next < work.count else { break }
            starts.append(next)
        }
        self.starts = starts
        self.work = starts.indices.map { work[$0 + 1 < starts.count ? starts[$0 + 1] - 1 : work.count - 1] }
        costs = renders.map(\.milliseconds)
        for render in renders {
            addChoices(of: render)
            choiceEnds.append(choices.count)
            cellFrames.append(Double(render.appearances.reduce(0) { $0 + $1.count }))
        }
    }

    var blankCellFrames: Double {
        guard !starts.isEmpty else { return 0 }
        // What is added to the price of all work up to the end of each period.
        var steps = Array(repeating: 0.0, count: starts.count)
        var outcome = respond(to: steps)
        for _ in 0..<Self.rounds {
            // Where work is overdrawn most.
            let overdrafts = starts.indices.map { outcome.demand[$0] - work[$0] }
            guard let worst = overdrafts.indices.max(by: { overdrafts[$0] < overdrafts[$1] }), overdrafts[worst] > 0
            else { break }
            let before = outcome.bound
            outcome = raise(worst, in: &steps)
            if outcome.bound <= before * (1 + 1e-4) { break }
        }
        return max(0, outcome.bound)
    }

    /// Raises one step to where the work up to there is neither overdrawn nor left over. The bound is concave in it.
    private func raise(_ period: Int, in steps: inout [Double]) -> (bound: Double, demand: [Double]) {
        var best = respond(to: steps)
        var bestStep = steps[period]
        var low = steps[period]
        var high: Double?
        for _ in 0..<24 {
            let step = high.map { (low + $0) / 2 } ?? max(low * 2, 1e-3)
            steps[period] = step
            let outcome = respond(to: steps)
            if outcome.bound > best.bound { (best, bestStep) = (outcome, step) }
            if outcome.demand[period] > work[period] { low = step } else { high = step }
        }
        steps[period] = bestStep
        return best
    }

    /// - Returns: the bound at these prices, and the work up to the end of each period that renders choose.
    private func respond(to steps: [Double]) -> (bound: Double, demand: [Double]) {
        var prices = steps
        var bound = 0.0
        for period in prices.indices.reversed() {
            bound -= steps[period] * work[period]
            if period + 1 < prices.count { prices[period] += prices[period + 1] }
        }
        var demand = Array(repeating: 0.0, count: steps.count)
        var first = 0
        for render in costs.indices {
            var least = cellFrames[render]
            var period: Int?
            for choice in choices[first..<choiceEnds[render]] {
                let sum = choice.blank + costs[render] * prices[choice.period]
                // The later one where both are equal: it asks less of the work.
                if sum < least || (sum == least && period != nil) { (least, period) = (sum, choice.period) }
            }
            bound += least
            if let period { demand[period] += costs[render] }
            first = choiceEnds[render]
        }
        for period in demand.indices.dropFirst() { demand[period] += demand[period - 1] }
        return (bound, demand)
    }

    // MARK: When a render may be done

    /// Within a period of one price the earliest moment is the best, so there is one choice for each period in which a
    /// cell waits; before the first, and between two appearances, the latest period is the cheapest.
    private mutating func addChoices(of render: BlankBound.Render) {
        let begins = render.appearances.map(\.lowerBound).sorted()
        let ends = render.appearances.map(\.upperBound).sorted()
        var periods: [Int] = []
        for frames in render.appearances.sorted(by: { $0.lowerBound < $1.lowerBound }) where !frames.isEmpty {
            let first = max(period(ofFrame: frames.lowerBound), (periods.last ?? -1) + 1)
            let last = period(ofFrame: frames.upperBound - 1)
            if first <= last { periods += first...last }
        }
        // Cell-frames before a frame: those begun by then, less those that were over.
        var (begun, ended) = (0, 0)
        var (sumOfBegins, sumOfEnds) = (0, 0)
        for period in periods {
            let frame = starts[period]
            while begun < begins.count, begins[begun] < frame {
                sumOfBegins += begins[begun]
                begun += 1
            }
            while ended < ends.count, ends[ended] < frame {
                sumOfEnds += ends[ended]
                ended += 1
            }
            let blank = (begun - ended) * frame - sumOfBegins + sumOfEnds
            choices.append(Choice(period: period, blank: Double(blank)))
        }
    }

    private func period(ofFrame frame: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= frame { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
