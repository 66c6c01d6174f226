import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Graded trimming: what goes at which level, and what comes back.
@Suite struct PipelinePressureTests {
    typealias Rendition = TablePipeline.Rendition

    /// Rendition 1 was prefetched and never seen, 2 was seen, 3 to 6 are in a window, and 3 was seen there; 1000 bytes
    /// each, and room for 8.
    private func filledPipeline() -> TablePipeline {
        var pipeline = TablePipeline(budget: 8000)
        let (window, left) = (pipeline.addWindow(), pipeline.addWindow())
        pipeline.startCaching([Rendition(1)], in: left)
        pipeline.finishAll()
        pipeline.driver.apply { $0.removeWindow(left, at: $1) }
        _ = pipeline.submit(2)
        pipeline.startCaching((3...6).map { Rendition($0) }, in: window)
        _ = pipeline.submit(3)
        pipeline.finishAll()
        return pipeline
    }

    @Test(
        "each level gives up what the lower ones do, and more",
        arguments: zip(
            MemoryPressure.allCases,
            [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6], [3, 4, 5, 6], [3, 4, 5, 6], []] as [Set<Int>]))
    func levels(level: MemoryPressure, kept: Set<Int>) {
        var pipeline = filledPipeline()
        pipeline.setMemoryPressure(level)
        #expect(pipeline.cached(1...6) == kept)
        #expect(pipeline.statistics.memoryPressure == level)
    }

    @Test("severe pressure halves the budget for as long as it lasts")
    func half() {
        var pipeline = filledPipeline()
        pipeline.driver.apply { $0.setBudget(6000, at: $1) }
        pipeline.setMemoryPressure(.severe)
        #expect(pipeline.statistics.budgetLimitByteCount == 3000)
        #expect(pipeline.cached(1...6).count == 3)
        #expect(pipeline.cached(1...6).contains(3))
        // A budget set meanwhile is halved too, and whole when the pressure is over.
        pipeline.driver.apply { $0.setBudget(9000, at: $1) }
        #expect(pipeline.statistics.budgetLimitByteCount == 4500)
        pipeline.setMemoryPressure(.none)
        #expect(pipeline.statistics.budgetLimitByteCount == 9000)
    }

    @Test("critical pressure: what is awaited is made one by one and not kept; windows wait until it is over")
    func critical() {
        var pipeline = TablePipeline(workers: 4, budget: 8000)
        let window = pipeline.addWindow()
        pipeline.setMemoryPressure(.critical)
        pipeline.startCaching([Rendition(7)], in: window)
        #expect(pipeline.running == [])
        let ids = [pipeline.submit(1), pipeline.submit(2)]
        #expect(pipeline.running.count == 1)
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
        pipeline.setMemoryPressure(.critical)
        #expect(pipeline.statistics.cachedByteCount == 0)
        pipeline.setMemoryPressure(.none)
        #expect(pipeline.running == [Rendition(7)])
    }

    @Test("of two who tell of pressure, the one that tells of more counts")
    func twoSources() {
        var pipeline = TablePipeline(budget: 8000)
        pipeline.setMemoryPressure(.moderate, from: .system)
        pipeline.setMemoryPressure(.severe, from: .host)
        #expect(pipeline.statistics.memoryPressure == .severe)
        pipeline.setMemoryPressure(.none, from: .host)
        #expect(pipeline.statistics.memoryPressure == .moderate)
    }
}

extension TablePipeline {
    fileprivate mutating func setMemoryPressure(
        _ level: MemoryPressure, from source: MemoryPressureSource = .host
    ) {
        driver.apply { $0.setMemoryPressure(level, from: source, at: $1) }
    }
}
