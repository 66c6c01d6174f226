import SimulationKit
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Semantics.md, "The memory budget".
@Suite struct PipelineMemoryTests {
    typealias Rendition = TablePipeline.Rendition

    @Test("what was prefetched and never seen goes first, then what is in no window, then what is, the nearest last")
    func orderOfEviction() {
        // Given: renditions of 1000 bytes of each kind, and room for 7.
        var pipeline = TablePipeline(budget: 7000)
        let (window, left) = (pipeline.addWindow(), pipeline.addWindow())
        pipeline.startCaching([Rendition(1), Rendition(2)], in: left)
        pipeline.finishAll()
        let seen = pipeline.submit(3)
        let onScreen = pipeline.submit(4)
        pipeline.startCaching([Rendition(4), Rendition(5), Rendition(6)], in: window)
        pipeline.finishAll()
        pipeline.driver.apply { $0.removeWindow(left, at: $1) }
        #expect(pipeline.received(seen) == [.final(.high)])
        #expect(pipeline.received(onScreen) == [.final(.high)])
        // When each visible image needs the room of another…
        var evicted: [Int] = []
        for budget in stride(from: 5000, through: 0, by: -1000) {
            let before = pipeline.cached(1...6)
            pipeline.driver.apply { $0.setBudget(budget, at: $1) }
            evicted += before.subtracting(pipeline.cached(1...6)).sorted()
        }
        // Then
        #expect(evicted == [2, 1, 3, 6, 5, 4])
    }

    @Test("what was rendered for somebody who waited counts as seen when it scrolls off")
    func seenThroughARender() {
        // Given: 1 was seen as soon as it was made, 2 only prepared; then both leave the window.
        var pipeline = TablePipeline(budget: 10_000)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window)
        _ = pipeline.submit(1)
        pipeline.finishAll()
        pipeline.stopCaching([Rendition(2)], in: window)
        pipeline.stopCaching([Rendition(1)], in: window)
        // When
        pipeline.driver.apply { $0.setBudget(1000, at: $1) }
        // Then
        #expect(pipeline.cached(1...2) == [1])
    }

    @Test("what a receiver holds is not evicted, for it would take its memory with it, until it lets go")
    func heldByReceivers() throws {
        // Given: the oldest of three images is still held by who asked for it.
        var pipeline = TablePipeline(budget: 3000)
        for asset in 1...3 {
            _ = pipeline.submit(asset)
            pipeline.finishAll()
        }
        var held: [Bitmap?] = [pipeline.pixels(of: 1)]
        // When
        _ = pipeline.submit(4)
        pipeline.finishAll()
        // Then
        #expect(pipeline.cached(1...4) == [1, 3, 4])
        // When no room is left for anything else…
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(pipeline.cached(1...4) == [1])
        #expect(pipeline.statistics.budgetUsedByteCount == 1000)
        // … and when it is not held any more
        held = []
        #expect(held.isEmpty && pipeline.cached(1...4) == [1])
        _ = pipeline.driver.apply { state, _ in state.addWindow() }
        #expect(pipeline.cached(1...4) == [])
    }

    @Test(
        "a window that waits for memory goes on when receivers let go of it, though no event tells; then no time is looked at"
    )
    func givenBack() {
        // Given: all memory is on screen.
        var pipeline = TablePipeline(budget: 2000)
        var held: [Bitmap?] = []
        for asset in 1...2 {
            _ = pipeline.submit(asset)
            pipeline.finishAll()
            held.append(pipeline.pixels(of: asset))
        }
        #expect(pipeline.driver.wake.map { $0 > pipeline.driver.now } ?? true)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(9)], in: window)
        pipeline.driver.advance(byMilliseconds: 10_000)
        #expect(pipeline.running == [])
        // When
        held = []
        #expect(held.isEmpty && pipeline.running == [])
        pipeline.driver.advance(byMilliseconds: 1000)
        // Then
        #expect(pipeline.running == [Rendition(9)])
        pipeline.finishAll()
        let endless = 100_000_000.0
        pipeline.driver.advance(byMilliseconds: endless)
        #expect(pipeline.driver.wake == nil)
    }

    @Test("images beyond a reduced budget are evicted once receivers release them, without an event")
    func givenBackBeyondBudget() {
        var pipeline = TablePipeline(budget: 2000)
        _ = pipeline.submit(1)
        pipeline.finishAll()
        var held = pipeline.pixels(of: 1)
        pipeline.driver.apply { $0.setBudget(0, at: $1) }
        #expect(pipeline.statistics.cachedByteCount == 1000)
        held = nil
        #expect(held == nil)
        pipeline.driver.advance(byMilliseconds: 1000)
        #expect(pipeline.statistics.cachedByteCount == 0)
        pipeline.driver.advance(byMilliseconds: 10_000)
        #expect(pipeline.driver.wake == nil)
    }

    @Test("with all memory on screen, what is visible is made one at a time, paid for, and nothing is made ahead")
    func allOnScreen() {
        var pipeline = TablePipeline(workers: 2, budget: 2000)
        let window = pipeline.addWindow()
        var held: [Bitmap?] = []
        for asset in 1...2 {
            _ = pipeline.submit(asset)
            pipeline.finishAll()
            held.append(pipeline.pixels(of: asset))
        }
        pipeline.startCaching([Rendition(9)], in: window)
        for asset in 3...5 { _ = pipeline.submit(asset) }
        for _ in 3...5 {
            #expect(pipeline.running.count == 1)
            let rendition = pipeline.running[0]
            pipeline.finish(rendition)
            held.append(pipeline.pixels(of: rendition.asset))
        }
        #expect(pipeline.running == [])
        #expect(pipeline.statistics.budgetUsedByteCount == 5000)
        #expect(pipeline.statistics.budgetPeakByteCount == 5000)
        held = []
        pipeline.startCaching([Rendition(9)], in: window)
        #expect(held.isEmpty && pipeline.running == [Rendition(9)])
    }

    @Test(
        "a decode that took more than was predicted makes those like it cost more, and one that took less hardly less")
    func correctedPredictions() {
        var pipeline = TablePipeline(budget: 100_000)
        let progressive = RenderWork.MemoryClass(decoder: .vips, isProgressive: true, eighths: 2)
        let baseline = RenderWork.MemoryClass(decoder: .vips, isProgressive: false, eighths: 2)
        func reserved(_ asset: Int, as memoryClass: RenderWork.MemoryClass, peak: Int) -> Int {
            let before = pipeline.statistics.budgetUsedByteCount
            _ = pipeline.submit(asset, bytes: 1000, memoryClass: memoryClass)
            defer { pipeline.finish(Rendition(asset), peak: peak) }
            return pipeline.statistics.budgetUsedByteCount - before
        }
        #expect(reserved(1, as: progressive, peak: 3000) == 1000)
        #expect(reserved(2, as: progressive, peak: 3000) == 3000)
        #expect(reserved(3, as: baseline, peak: 1000) == 1000)
        #expect(reserved(4, as: progressive, peak: 1400) == 3000)
        #expect(reserved(5, as: progressive, peak: 1_000_000) == 2900)
        #expect(reserved(6, as: progressive, peak: 0) == 8000)
        #expect(reserved(7, as: baseline, peak: 1000) == 1000)
    }

    @Test("a budget cut while jobs run gives up all it can, whatever is still missing")
    func cutWhileRunning() {
        var pipeline = TablePipeline(budget: 10_000)
        _ = pipeline.submit(1)
        pipeline.finish(Rendition(1), bytes: 5000)
        _ = pipeline.submit(2, bytes: 4000)
        pipeline.driver.apply { $0.setBudget(1000, at: $1) }
        #expect(pipeline.statistics.cachedByteCount == 0)
        #expect(pipeline.statistics.budgetUsedByteCount == 4000)
        pipeline.finish(Rendition(2), bytes: 500)
        #expect(pipeline.statistics.budgetUsedByteCount == 500)
    }

    @Test("a budget that grows lets work go on")
    func growth() {
        var pipeline = TablePipeline(workers: 2, budget: 1000)
        _ = pipeline.submit(1, bytes: 800)
        _ = pipeline.submit(2, bytes: 800)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.driver.apply { $0.setBudget(2000, at: $1) }
        #expect(pipeline.running == [Rendition(1), Rendition(2)])
    }

    @Test("a job larger than the budget runs alone, and nothing loose stays beside it")
    func oversizedJob() {
        var pipeline = TablePipeline(workers: 4, budget: 10_000)
        for asset in 1...5 {
            _ = pipeline.submit(asset)
            pipeline.finishAll()
        }
        #expect(pipeline.statistics.cachedByteCount == 5000)
        _ = pipeline.submit(8, bytes: 50_000)
        _ = pipeline.submit(9)
        #expect(pipeline.running == [Rendition(8)])
        #expect(pipeline.statistics.budgetUsedByteCount == 50_000)
        #expect(pipeline.statistics.budgetPeakByteCount == 50_000)
    }

    @Test("an image larger than the whole budget is delivered, and kept no longer than its receiver has it")
    func oversizedImage() {
        var pipeline = TablePipeline(budget: 2000)
        let id = pipeline.submit(1)
        pipeline.finish(Rendition(1), bytes: 3000)
        #expect(pipeline.received(id) == [.final(.high)])
        #expect(pipeline.statistics.budgetUsedByteCount == 3000)
        _ = pipeline.addWindow()
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
    }

    @Test("a prefetch makes way for visible work that lacks memory, not only for one that lacks a worker")
    func preemptionForMemory() {
        var pipeline = TablePipeline(workers: 3, budget: 3000)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window, bytes: 1200)
        #expect(pipeline.running.count == 2)
        _ = pipeline.submit(3, bytes: 1500)
        #expect(pipeline.stopped == [Rendition(2)])
        pipeline.finish(Rendition(2), with: .stopped)
        #expect(pipeline.running == [Rendition(1), Rendition(3)])
    }

    @Test("a window that fills the budget does not eat itself")
    func fullWindow() {
        var pipeline = TablePipeline(budget: 3000)
        let window = pipeline.addWindow()
        pipeline.startCaching((1...9).map { Rendition($0) }, in: window)
        pipeline.finishAll()
        #expect(pipeline.cached(1...9) == [1, 2, 3])
        #expect(pipeline.statistics.cache.evictions == 0)
        // What follows is made as soon as something is let go.
        pipeline.stopCaching([Rendition(2)], in: window)
        pipeline.finishAll()
        #expect(pipeline.cached(1...9) == [1, 3, 4])
    }

    @Test(
        "requests of low priority end even where windows fill the budget",
        arguments: [RequestPriority.prefetch, .background])
    func lowPriority(priority: RequestPriority) {
        var pipeline = TablePipeline(workers: 2, budget: 3000)
        let window = pipeline.addWindow()
        pipeline.startCaching((1...9).map { Rendition($0) }, in: window)
        pipeline.finishAll()
        let ids = (20...22).map { pipeline.submit($0, priority: priority) }
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
        #expect(pipeline.statistics.budgetPeakByteCount <= 3000)
    }

    @Test("a request of low priority for what the window wants anyway ends even where the window is full")
    func lowPriorityInWindow() {
        var pipeline = TablePipeline(budget: 3000)
        let window = pipeline.addWindow()
        pipeline.startCaching((1...9).map { Rendition($0) }, in: window)
        pipeline.finishAll()
        let id = pipeline.submit(9, priority: .background)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.high)])
    }

    @Test("switched off, nothing is kept and each request is rendered anew")
    func keepingNothing() {
        var pipeline = TablePipeline(keepsRenditions: false)
        for _ in 0..<3 {
            let id = pipeline.submit(1)
            pipeline.finishAll()
            #expect(pipeline.received(id) == [.final(.high)])
        }
        #expect(pipeline.started.count == 3)
        #expect(pipeline.statistics.cachedByteCount == 0)
        #expect(pipeline.statistics.cache.insertions == 0)
    }
}
