import SimulationKit
import Testing
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// Semantics.md, "Shares of the budget".
@Suite struct BudgetShareTests {
    typealias Rendition = TablePipeline.Rendition

    /// Room for 100 renditions of 1000 bytes.
    private var pipeline = TablePipeline(budget: 100_000)

    /// Requests pictures for an owner, one after another.
    private mutating func walk(over assets: Range<Int>, as share: BudgetShare?) {
        for asset in assets {
            _ = pipeline.submit(asset, share: share)
            pipeline.finishAll()
            #expect(pipeline.statistics.budgetUsedByteCount <= 100_000)
        }
    }

    private var byteCounts: [Int: Int] { pipeline.statistics.ownedByteCounts }

    @Test("the images of who takes little stay while another walks over ten times the budget")
    mutating func modestAndGreedy() {
        walk(over: 0..<20, as: BudgetShare(of: 1))
        walk(over: 1000..<2000, as: BudgetShare(of: 2))
        #expect(pipeline.cached(0...19).count == 20)
        #expect(byteCounts == [1: 20_000, 2: 80_000])
        // Without shares they are gone.
        pipeline = TablePipeline(budget: 100_000)
        walk(over: 0..<20, as: nil)
        walk(over: 1000..<2000, as: nil)
        #expect(pipeline.cached(0...19).isEmpty)
        #expect(byteCounts == [:])
    }

    @Test("two that walk have parts by their weights, whoever came first")
    mutating func weights() {
        let (one, three) = (BudgetShare(of: 1, weight: 1), BudgetShare(of: 3, weight: 3))
        walk(over: 0..<100, as: one)
        for step in 0..<300 {
            walk(over: 10_000 + step..<10_001 + step, as: one)
            walk(over: 20_000 + step..<20_001 + step, as: three)
        }
        #expect((24_000...26_000).contains(byteCounts[1]!) && (74_000...76_000).contains(byteCounts[3]!))
        // Most of what each has are its latest images. Those that were spared count as just used, and stay as well.
        #expect(pipeline.cached(20_230...20_299).count > 60)
    }

    @Test("one who is alone has it all, and what is nobody's has no share")
    mutating func alone() {
        walk(over: 0..<200, as: BudgetShare(of: 1))
        #expect(byteCounts == [1: 100_000])
        walk(over: 1000..<1100, as: nil)
        #expect(byteCounts == [:])
        walk(over: 2000..<2010, as: BudgetShare(of: 1))
        walk(over: 3000..<3010, as: BudgetShare(of: 2))
        walk(over: 4000..<4500, as: nil)
        #expect(byteCounts == [1: 10_000, 2: 10_000])
    }

    @Test("what is not asked for while sixteen budgets go by makes way, and what is asked for stays")
    mutating func leaving() {
        walk(over: 0..<20, as: BudgetShare(of: 1))
        for round in 0..<20 {
            walk(over: 1000 * round + 1000..<1000 * round + 1100, as: BudgetShare(of: 2))
            walk(over: 0..<5, as: BudgetShare(of: 2))
        }
        // Pictures that others ask for, too, stay with whom they were made for.
        #expect(byteCounts == [1: 5_000, 2: 95_000])
        #expect(pipeline.cached(0...19) == Set(0..<5))
    }

    @Test("who takes more than his share gives up his own oldest images first")
    mutating func ownFirst() {
        walk(over: 0..<80, as: BudgetShare(of: 1))
        walk(over: 1000..<1020, as: BudgetShare(of: 2))
        walk(over: 2000..<2010, as: BudgetShare(of: 2))
        #expect(pipeline.cached(0...79) == Set(10..<80))
        walk(over: 100..<110, as: BudgetShare(of: 1))
        #expect(pipeline.cached(0...109) == Set(20..<80).union(100..<110))
    }

    @Test("an image counts for the first of those who wait for it, and for nobody if nobody waits")
    mutating func firstOfSeveral() {
        let first = pipeline.submit(1, share: BudgetShare(of: 1))
        _ = pipeline.submit(1, share: BudgetShare(of: 2))
        pipeline.finishAll()
        #expect(byteCounts == [1: 1000])
        #expect(pipeline.received(first) == [.final(.high)])
        let cancelled = pipeline.submit(2, share: BudgetShare(of: 1))
        _ = pipeline.submit(2, share: BudgetShare(of: 2))
        pipeline.cancel(cancelled)
        pipeline.finishAll()
        #expect(byteCounts == [1: 1000, 2: 1000])
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(3)], in: window)
        pipeline.finishAll()
        _ = pipeline.submit(3, share: BudgetShare(of: 2))
        #expect(byteCounts == [1: 1000, 2: 1000])
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(byteCounts == [:])
    }

    @Test("a packed bitmap stays its owner's")
    mutating func packing() {
        pipeline = TablePipeline(budget: 30_000, packsRenditions: true)
        for asset in 1...6 {
            _ = pipeline.submit(asset, share: BudgetShare(of: asset))
            pipeline.finish(Rendition(asset), bytes: 3000)
        }
        let job = pipeline.driver.runningJobs.first { $0.isPacking }!
        var facts = job.input!.shared.facts
        (facts.memoryTier, facts.byteCount) = (.packed, 1800)
        pipeline.driver.finish(worker: job.worker, with: .image(PipelineImage(.blankPacked, facts)))
        #expect(pipeline.statistics.packedByteCount == 1800)
        #expect(byteCounts == [1: 1800, 2: 3000, 3: 3000, 4: 3000, 5: 3000, 6: 3000])
    }

    @Test("any weights are handled", arguments: [.nan, -.infinity, -1, 0, 1e-300, 1e300, .infinity])
    mutating func oddWeights(weight: Double) {
        walk(over: 0..<60, as: BudgetShare(of: .min, weight: weight))
        walk(over: 1000..<1200, as: BudgetShare(of: .max, weight: 1))
        #expect(byteCounts.values.reduce(0, +) == 100_000)
        #expect((byteCounts[.min] == 60_000) == (weight > 2))
    }
}
