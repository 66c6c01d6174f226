import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Requests that the cache answers without their being submitted.
@Suite struct CachedAnswerTests {
    @Test("counts, numbers and the order of eviction are those of a request that is submitted")
    func sameAsSubmitting() throws {
        // Given
        var submitting = TablePipeline(budget: 2500)
        var answering = TablePipeline(budget: 2500)
        for asset in [1, 2] {
            _ = submitting.submit(asset)
            submitting.finishAll()
            _ = answering.submit(asset)
            answering.finishAll()
        }
        // When
        let id = submitting.submit(1)
        #expect(submitting.received(id) == [.cached(.high)])
        let found = answering.answer(1)
        let answer = try #require(found)
        // Then
        #expect(answer.info.requestID == id)
        #expect(answer.info.source == .cache)
        #expect(!answer.info.isDegraded)
        #expect(answering.statistics == submitting.statistics)
        #expect(answering.statistics.cache.hits == 1)
        answering.driver.apply { $0.setBudget(1500, at: $1) }
        let answered = [answering.answer(1), answering.answer(2)].map { $0 != nil }
        #expect(answered == [true, false])
        let later = answering.submit(3)
        #expect(later > id)
    }

    @Test("what is not there is not counted: the request that follows is")
    func misses() {
        var pipeline = TablePipeline()
        let before = pipeline.statistics
        let answer = pipeline.answer(1)
        #expect(answer == nil)
        #expect(pipeline.statistics == before)
    }

    @Test("a fast request is content with what is better, a better one not with what is fast")
    func kinds() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1)
        _ = pipeline.submit(2, .fast)
        pipeline.finishAll()
        let answered = [pipeline.answer(1, .fast), pipeline.answer(2, .high)].map { $0 != nil }
        #expect(answered == [true, false])
    }

    @Test("work ahead does not count as a look-up")
    func prefetches() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1, priority: .prefetch)
        pipeline.finishAll()
        let answer = pipeline.answer(1, priority: .prefetch)
        #expect(answer != nil)
        #expect(pipeline.statistics.cache.lookups == 0)
    }

    @Test("a partial image says so, from the cache too, and that no better one follows")
    func partialImages() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1, .fast)
        let rendition = TablePipeline.Rendition(1, .fast)
        pipeline.finish(rendition, with: .image(TablePipeline.image(for: rendition, isPartial: true)))
        let answer = pipeline.answer(1, .fast)
        #expect(answer?.info.isPartial == true && answer?.info.isDegraded == false)
    }

    @Test("a closed pipeline answers nothing")
    func closed() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1)
        pipeline.finishAll()
        pipeline.driver.apply { $0.closeToNewRequests(at: $1) }
        let answer = pipeline.answer(1)
        #expect(answer == nil)
    }
}

extension TablePipeline {
    fileprivate mutating func answer(
        _ asset: Int, _ kind: RenditionKey.Kind = .high, priority: RequestPriority = .userInitiated
    ) -> CachedAnswer? {
        driver.apply { state, _ in state.answer(Rendition(asset, kind).key, priority: priority, at: .zero) }
    }
}
