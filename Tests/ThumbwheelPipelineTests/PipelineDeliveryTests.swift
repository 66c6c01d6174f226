import SimulationKit
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Semantics.md, "Degraded images", "Damaged files" and, for local photographs, "Delivery modes".
@Suite struct PipelineDeliveryTests {
    typealias Rendition = TablePipeline.Rendition
    typealias Received = TablePipeline.Received

    /// A row: what is asked, what is at hand, how the file is, and what comes.
    struct Row: CustomTestStringConvertible {
        var mode: DeliveryMode
        var cached: [Rendition] = []
        var hasPreview = false
        var isTruncated = false
        var expected: [Received]

        var testDescription: String {
            "\(mode), cached \(cached.map { "\($0.kind) \($0.side)" }), preview \(hasPreview), cut short \(isTruncated)"
        }
    }

    @Test(
        "every mode gets what its row says",
        arguments: [
            Row(mode: .highQuality, expected: [.final(.high)]),
            Row(mode: .highQuality, hasPreview: true, expected: [.final(.high)]),
            Row(mode: .highQuality, cached: [Rendition(1)], expected: [.cached(.high)]),
            Row(mode: .highQuality, cached: [Rendition(1, .fast)], expected: [.final(.high)]),
            Row(mode: .highQuality, isTruncated: true, expected: [.failed("truncated")]),
            Row(mode: .fast, expected: [.final(.fast)]),
            Row(mode: .fast, hasPreview: true, expected: [.final(.fast)]),
            Row(mode: .fast, cached: [Rendition(1, .fast)], expected: [.cached(.fast)]),
            Row(mode: .fast, cached: [Rendition(1)], expected: [.cached(.high)]),
            Row(mode: .fast, cached: [Rendition(1, .fast), Rendition(1)], expected: [.cached(.fast)]),
            Row(mode: .fast, cached: [Rendition(1, side: 99)], expected: [.final(.fast)]),
            Row(mode: .fast, isTruncated: true, expected: [.partial(.fast)]),
            Row(mode: .opportunistic, expected: [.final(.high)]),
            Row(mode: .opportunistic, hasPreview: true, expected: [.degraded(side: 20), .final(.high)]),
            Row(mode: .opportunistic, cached: [Rendition(1)], hasPreview: true, expected: [.cached(.high)]),
            Row(
                mode: .opportunistic, cached: [Rendition(1, .fast)], hasPreview: true,
                expected: [.degraded(side: 100), .final(.high)]),
            Row(
                mode: .opportunistic, cached: [Rendition(1, .preview)], hasPreview: true,
                expected: [.degraded(side: 20), .final(.high)]),
            Row(
                mode: .opportunistic, cached: [Rendition(1, side: 64), Rendition(1, .fast, side: 80)],
                expected: [.degraded(side: 80), .final(.high)]),
            Row(mode: .opportunistic, cached: [Rendition(2)], expected: [.final(.high)]),
            Row(
                mode: .opportunistic, cached: [Rendition(1, crop: NormalizedRect(x: 0, y: 0, width: 0.5, height: 1))],
                expected: [.final(.high)]),
            Row(mode: .opportunistic, isTruncated: true, expected: [.partial(.fast)]),
            Row(
                mode: .opportunistic, hasPreview: true, isTruncated: true,
                expected: [.degraded(side: 20), .partial(.fast)]),
        ])
    func matrix(row: Row) {
        // Given
        var pipeline = TablePipeline()
        fill(&pipeline, with: row.cached)
        // When
        let id = pipeline.submit(1, row.mode, hasPreview: row.hasPreview)
        while let rendition = pipeline.running.first {
            switch (rendition.kind, row.isTruncated) {
            case (.high, true): pipeline.finish(rendition, with: TablePipeline.truncated)
            case (.fast, true):
                pipeline.finish(rendition, with: .image(TablePipeline.image(for: rendition, isPartial: true)))
            default: pipeline.finish(rendition)
            }
        }
        // Then
        #expect(pipeline.received(id) == row.expected)
        #expect(pipeline.statistics.liveRequestCount == 0)
    }

    @Test("a partial image that is cached ends the next opportunistic request without being made again")
    func cachedPartialImage() {
        var pipeline = TablePipeline()
        let partial = RenderOutcome.image(TablePipeline.image(for: Rendition(1, .fast), isPartial: true))
        let first = pipeline.submit(1, .opportunistic)
        pipeline.finish(Rendition(1), with: TablePipeline.truncated)
        pipeline.finish(Rendition(1, .fast), with: partial)
        #expect(pipeline.received(first) == [.partial(.fast)])
        let second = pipeline.submit(1, .opportunistic)
        pipeline.finish(Rendition(1), with: TablePipeline.truncated)
        #expect(pipeline.received(second) == [.degraded(side: 100), .partial(.fast)])
        #expect(pipeline.running == [])
        #expect(pipeline.started.count { $0.kind == .fast } == 1)
    }

    @Test(
        "an error that leaves nothing to show ends every mode",
        arguments: [DeliveryMode.opportunistic, .highQuality, .fast])
    func otherErrors(mode: DeliveryMode) {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, mode)
        let error = ImageRequestError.rendering(.source(.notFound(path: "gone")))
        pipeline.finish(pipeline.running[0], with: .failed(error))
        #expect(pipeline.received(id) == [.failed("notFound")])
        #expect(pipeline.started.count == 1)
    }

    @Test("a preview that fails is passed over in silence")
    func failedPreview() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, .opportunistic, hasPreview: true)
        pipeline.finish(Rendition(1, .preview), with: .failed(.rendering(.noPreview)))
        #expect(pipeline.received(id) == [])
        pipeline.finish(Rendition(1))
        #expect(pipeline.received(id) == [.final(.high)])
    }

    @Test("a preview that is late is not delivered, and its job is stopped")
    func latePreview() {
        var pipeline = TablePipeline(workers: 2)
        let id = pipeline.submit(1, .opportunistic, hasPreview: true)
        #expect(pipeline.running == [Rendition(1, .preview), Rendition(1)])
        pipeline.finish(Rendition(1))
        #expect(pipeline.stopped == [Rendition(1, .preview)])
        pipeline.finish(Rendition(1, .preview))
        #expect(pipeline.received(id) == [.final(.high)])
    }

    @Test("results taken slowly come in order, by one drainer at a time")
    func slowDrain() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1, .opportunistic, hasPreview: true)
        pipeline.finish(Rendition(1, .preview))
        #expect(pipeline.driver.drains == [id])
        pipeline.finish(Rendition(1))
        #expect(pipeline.driver.drains == [id])
        #expect(pipeline.received(id) == [.degraded(side: 20), .final(.high)])
        #expect(pipeline.driver.drains == [])
        #expect(pipeline.driver.drain(id).isEmpty)
    }

    @Test("a last result that follows nothing is handed over at once, and its request is forgotten")
    func handedOver() {
        var pipeline = TablePipeline()
        let id = pipeline.submit(1)
        pipeline.finish(Rendition(1))
        var state = pipeline.driver.state
        let results = state.takeResults(of: id)
        #expect(results.isEmpty)
        #expect(pipeline.received(id) == [.final(.high)])
    }

    @Test("what one render made has one number, and requests that share it say so")
    func sharedRender() {
        var pipeline = TablePipeline()
        let ids = (0..<3).map { _ in pipeline.submit(1) }
        pipeline.finish(Rendition(1))
        let late = pipeline.submit(1)
        var numbers: [UInt64?] = []
        for id in ids + [late] {
            for case .final(_, let info) in pipeline.driver.drain(id) { numbers.append(info.renderNumber) }
        }
        #expect(numbers == [1, 1, 1, 1])
        #expect(pipeline.statistics.requests.coalesced == 2)
        #expect(pipeline.statistics.renders.finished == 1)
        #expect(pipeline.statistics.cache.hits == 1)
    }

    private func fill(_ pipeline: inout TablePipeline, with renditions: [Rendition]) {
        let window = pipeline.addWindow()
        for rendition in renditions {
            pipeline.startCaching([rendition], in: window)
            pipeline.finish(rendition)
        }
    }
}
