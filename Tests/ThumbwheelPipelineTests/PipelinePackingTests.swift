import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// The warm tier: idle workers pack what has not been asked for lately.
@Suite struct PipelinePackingTests {
    typealias Rendition = TablePipeline.Rendition

    /// Bitmaps of 3000 bytes; more than half of the budget is packed.
    private var pipeline = TablePipeline(budget: 30_000, packsRenditions: true)

    private var packing: RenderAssignment? { pipeline.driver.runningJobs.first { $0.isPacking } }

    private mutating func cache(_ assets: ClosedRange<Int>) {
        for asset in assets {
            _ = pipeline.submit(asset)
            // It has made way.
            if packing != nil { finishPacking(with: .stopped) }
            pipeline.finish(Rendition(asset), bytes: 3000)
        }
    }

    private mutating func finishPacking(with outcome: RenderOutcome? = nil) {
        let job = packing!
        var facts = job.input!.shared.facts
        facts.memoryTier = .packed
        facts.byteCount = 1800
        pipeline.driver.finish(worker: job.worker, with: outcome ?? .image(PipelineImage(.blankPacked, facts)))
    }

    @Test("nothing is packed while bitmaps take half of the budget, then the least recently used")
    mutating func threshold() {
        cache(1...5)
        #expect(packing == nil)
        cache(6...6)
        #expect(packing?.key == Rendition(1).key)
        finishPacking()
        #expect(packing == nil)
        #expect(pipeline.statistics.cachedByteCount == 15_000)
        #expect(pipeline.statistics.packedByteCount == 1800)
        #expect(pipeline.statistics.budgetUsedByteCount == 16_800)
    }

    @Test("what is packed comes back as the very rendition, by a short job, and is a bitmap again")
    mutating func unpacking() {
        cache(1...6)
        finishPacking()
        let id = pipeline.submit(1)
        #expect(pipeline.driver.starts.last?.input?.isPacked == true)
        #expect(pipeline.statistics.cache.hits == 0)
        pipeline.finish(Rendition(1), bytes: 3000)
        #expect(pipeline.received(id) == [.cached(.high)])
        #expect(pipeline.statistics.packedByteCount == 0)
        #expect(pipeline.statistics.cache.unpacked == 1)
        #expect(pipeline.cached(1...1) == [1])
    }

    @Test("a visible request takes the worker from packing")
    mutating func makingWay() {
        cache(1...6)
        let token = packing?.token
        _ = pipeline.submit(9)
        #expect(token?.isCancelled == true)
        finishPacking(with: .stopped)
        #expect(pipeline.running == [Rendition(9)])
        #expect(pipeline.statistics.cache.packed == 0)
    }

    @Test("asked for while it is being packed, a bitmap stays one")
    mutating func hitMeanwhile() {
        cache(1...6)
        let id = pipeline.submit(1)
        #expect(pipeline.received(id) == [.cached(.high)])
        finishPacking()
        #expect(pipeline.cached(1...1) == [1])
        // The next to go is another one by now.
        #expect(packing?.key == Rendition(2).key)
    }

    @Test("the packed go before the bitmaps")
    mutating func eviction() {
        cache(1...7)
        while packing != nil { finishPacking() }
        #expect(pipeline.statistics.cache.packed == 2)
        // With a worker to spare, more would be packed.
        _ = pipeline.submit(9, bytes: 100)
        pipeline.driver.apply { $0.setBudget(17_000, at: $1) }
        #expect(pipeline.statistics.packedByteCount == 1800)
        pipeline.driver.apply { $0.setBudget(15_200, at: $1) }
        #expect(pipeline.statistics.packedByteCount == 0)
        #expect(pipeline.cached(3...7) == [3, 4, 5, 6, 7])
        pipeline.driver.apply { $0.setBudget(15_000, at: $1) }
        #expect(pipeline.cached(3...7) == [4, 5, 6, 7])
    }

    @Test("where there is no room to pack, the coldest bitmap goes and the next one is packed")
    mutating func fullCache() {
        cache(1...7)
        while packing != nil { finishPacking(with: .failed(.rendering(.unsupportedFormat))) }
        #expect(pipeline.cached(1...7) == [3, 4, 5, 6, 7])
        pipeline.driver.apply { $0.setBudget(15_500, at: $1) }
        #expect(packing?.key == Rendition(4).key)
        #expect(pipeline.cached(3...7) == [4, 5, 6, 7])
        #expect(pipeline.statistics.budgetUsedByteCount <= 15_500)
    }

    @Test("what does not become smaller goes")
    mutating func failing() {
        cache(1...6)
        finishPacking(with: .failed(.rendering(.unsupportedFormat)))
        #expect(pipeline.cached(1...6) == [2, 3, 4, 5, 6])
        #expect(pipeline.statistics.budgetUsedByteCount == 15_000)
    }

    @Test("a fast request takes what is packed in high quality; a forgotten asset leaves nothing packed")
    mutating func kindsAndForgetting() {
        cache(1...6)
        finishPacking()
        _ = pipeline.submit(1, .fast)
        #expect(pipeline.driver.starts.last?.input?.key == Rendition(1).key)
        pipeline.finishAll(bytes: 3000)
        pipeline.driver.apply { $0.forget([AssetIdentifier(high: 0, low: 1)], at: $1) }
        #expect(pipeline.statistics.packedByteCount == 0)
    }

    @Test("a window that wants what is packed has it back ahead of time")
    mutating func windows() {
        cache(1...6)
        finishPacking()
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1)], in: window)
        #expect(pipeline.driver.starts.last?.input?.isPacked == true)
        pipeline.finish(Rendition(1), bytes: 3000)
        #expect(pipeline.cached(1...1) == [1])
    }

    @Test("a closed pipeline is idle once the last packing has ended")
    mutating func closing() {
        cache(1...6)
        pipeline.driver.apply { $0.close(at: $1) }
        #expect(!pipeline.driver.isIdle)
        finishPacking()
        #expect(pipeline.driver.isIdle)
        #expect(packing == nil)
    }
}
