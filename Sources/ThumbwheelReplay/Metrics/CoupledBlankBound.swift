/// The lower bound on blank cell-frames over all frames together, by Lagrange's multipliers.
///
/// A render that is finished by a certain frame leaves the cell-frames before that frame blank. Work has a price that falls
/// with time, because earlier work can replace later work. Each render chooses by itself when to be finished, if ever, so that
/// the sum of its blank cell-frames and the price of its work is least. The total of these sums, less the price of all
/// available work, is a lower bound on the blank cell-frames for any prices. The search for good prices goes on as long as it
/// pays.
struct CoupledBlankBound {
    /// A period in which a render may be finished, with the cell-frames that are blank then.
    private struct Choice {
        let period: Int
        let blank: Double
    }

    /// The frames at which the periods begin. Within a period, work has one price. The first periods have one frame each, and
    /// later ones are longer and longer.
    private let starts: [Int]
    /// The milliseconds of work that can be done by the end of each period.
    private let work: [Double]
    private let costs: [Double]
    /// The choices of all renders one after another, and the index at which each render's choices end.
    private var choices: [Choice] = []
    private var choiceEnds: [Int] = []
    /// For each render, the cell-frames that stay blank if it is never made.
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
        // For each period, the amount that it adds to the price of all work up to its end.
        var steps = Array(repeating: 0.0, count: starts.count)
        var outcome = respond(to: steps)
        for _ in 0..<Self.rounds {
            // Each round raises the price at the period where the renders demand most work beyond what is available.
            let overdrafts = starts.indices.map { outcome.demand[$0] - work[$0] }
            guard let worst = overdrafts.indices.max(by: { overdrafts[$0] < overdrafts[$1] }), overdrafts[worst] > 0
            else { break }
            let before = outcome.bound
            outcome = raise(worst, in: &steps)
            if outcome.bound <= before * (1 + 1e-4) { break }
        }
        return max(0, outcome.bound)
    }

    /// Raises the step of one period until the renders' demand up to its end equals the available work. The bound is a concave
    /// function of that step.
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

    /// - Returns: the bound at these prices, and, for each period, the work up to its end that the renders choose.
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
                // If two choices are equal, the later one is taken, because it demands less work early.
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

    /// Adds the choices of a render. Within a period, the earliest moment is the best, so there is one choice for each period
    /// in which a cell waits. Before the first appearance, and between two appearances, the latest period is the cheapest.
    private mutating func addChoices(of render: BlankBound.Render) {
        let begins = render.appearances.map(\.lowerBound).sorted()
        let ends = render.appearances.map(\.upperBound).sorted()
        var periods: [Int] = []
        for frames in render.appearances.sorted(by: { $0.lowerBound < $1.lowerBound }) where !frames.isEmpty {
            let first = max(period(ofFrame: frames.lowerBound), (periods.last ?? -1) + 1)
            let last = period(ofFrame: frames.upperBound - 1)
            if first <= last { periods += first...last }
        }
        // The blank cell-frames before a frame: each appearance that has begun counts up to that frame, or up to its own end.
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
