import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@Suite struct PipelineEventTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("a request and its render leave their events, in order, with the times of what caused them")
    func order() {
        var pipeline = TablePipeline(eventCapacity: 100)
        let asset = Rendition(1).key.subject.asset
        let one = pipeline.submit(1)
        let other = pipeline.submit(1, priority: .prefetch)
        pipeline.driver.now = pipeline.driver.now.advanced(byMilliseconds: 7)
        pipeline.driver.apply { $0.cancel(other, at: $1) }
        pipeline.finish(Rendition(1))
        let log = pipeline.driver.apply { state, _ in state.takeEvents() }
        let kinds = log.events.map(\.kind).filter { if case .gauges = $0 { false } else { true } }
        #expect(
            kinds == [
                .requestSubmitted(one, asset: asset, priority: .userInitiated),
                .renderStarted(
                    PipelineEvent.Render(
                        number: 1, worker: 0, asset: asset, kind: .high,
                        targetSize: PixelSize(width: 100, height: 100), priority: .userInitiated)),
                .requestSubmitted(other, asset: asset, priority: .prefetch), .requestCoalesced(other),
                .requestEnded(other, .cancelled), .renderEnded(number: 1, worker: 0, .finished),
                .requestEnded(one, .delivered),
            ])
        #expect(log.events.map { $0.time.milliseconds(since: .zero) }.filter { $0 > 0 }.allSatisfy { $0 == 7 })
        #expect(log.events.map(\.time) == log.events.map(\.time).sorted())
        #expect(log.lostCount == 0)
        #expect(pipeline.driver.apply { state, _ in state.takeEvents() } == PipelineEvents())
    }

    @Test("the last gauges are what the statistics say")
    func gauges() throws {
        var pipeline = TablePipeline(workers: 2, eventCapacity: 1000)
        for asset in 1...5 { _ = pipeline.submit(asset) }
        pipeline.finish(Rendition(1))
        let log = pipeline.driver.apply { state, _ in state.takeEvents() }
        let gauges = try #require(
            log.events.compactMap { if case .gauges(let gauges) = $0.kind { gauges } else { nil } }.last)
        let statistics = pipeline.statistics
        #expect(gauges.queuedRenderCount == statistics.queuedRenderCount)
        #expect(gauges.runningRenderCount == statistics.runningRenderCount)
        #expect(gauges.liveRequestCount == statistics.liveRequestCount)
        #expect(gauges.cachedByteCount == statistics.cachedByteCount)
        #expect(gauges.cachedByteCount + gauges.renderingByteCount == statistics.budgetUsedByteCount)
    }

    @Test("the newest are kept where nobody takes them, and the others counted")
    func bounded() {
        var pipeline = TablePipeline(eventCapacity: 10)
        var count = 0
        for _ in 0..<100 {
            pipeline.driver.apply { state, now in _ = state.refuse(at: now) }
            count += 1
        }
        let log = pipeline.driver.apply { state, _ in state.takeEvents() }
        #expect(log.events.count <= 10)
        #expect(log.events.count + log.lostCount == count)
        #expect(log.events.last?.kind == .requestRefused(ImageRequestID(rawValue: 100)))
    }
}
