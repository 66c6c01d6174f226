import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite struct SecondDegradedImageTests {
    @Test("another degraded image is sent only where it is better than the last one", arguments: [19, 20, 21])
    func secondDegradedImage(side: Int) {
        // Given
        var state = PipelineState(configuration: PipelineState.Configuration(workerCount: 1, budget: 1 << 20))
        let id = state.submit(
            PipelineRequest(
                key: TablePipeline.Rendition(1).key, deliveryMode: .opportunistic, priority: .userInitiated, urgency: 0,
                wantsPreview: false, work: .nothing(for: TablePipeline.Rendition(1).key.subject.asset),
                receiver: .none), at: .zero)
        let first = shared(TablePipeline.Rendition(1, .preview))
        // When
        state.deliverDegraded(first, to: id, fromCache: false, isInCloud: false, at: .zero)
        state.deliverDegraded(
            shared(TablePipeline.Rendition(1, side: side)), to: id, fromCache: false, isInCloud: false, at: .zero)
        // Then
        #expect(first.facts.pixelSize.width == 20)
        #expect(state.takeResults(of: id).count == (side > 20 ? 2 : 1))
    }

    private func shared(_ rendition: TablePipeline.Rendition) -> SharedImage {
        SharedImage(TablePipeline.image(for: rendition), of: rendition.key.subject.asset)
    }

    @Test("a preview follows a cached image only where that is allowed, and it is better", arguments: [false, true])
    func afterCached(isAllowed: Bool) {
        for (cachedSide, isBetter) in [(10, true), (30, false)] {
            var pipeline = TablePipeline(workers: 1)
            _ = pipeline.submit(1, side: cachedSide)
            pipeline.finishAll()
            let id = pipeline.submit(1, .opportunistic, hasPreview: true, allowsSecondDegraded: isAllowed)
            pipeline.finishAll()
            let second = isAllowed && isBetter ? [TablePipeline.Received.degraded(side: TablePipeline.previewSide)] : []
            #expect(pipeline.received(id) == [.degraded(side: cachedSide)] + second + [.final(.high)])
        }
    }

    private static let photograph = PixelSize(width: 1000, height: 1000)

    @Test("a rendition of fast quality comes between the preview and the final image", arguments: [false, true])
    func fastAfterPreview(hasPreview: Bool) {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(
            1, .opportunistic, hasPreview: hasPreview, photograph: Self.photograph, wantsFastDegraded: true)
        pipeline.finishAll()
        let preview = hasPreview ? [TablePipeline.Received.degraded(side: TablePipeline.previewSide)] : []
        #expect(pipeline.received(id) == preview + [.degraded(side: 100), .final(.high)])
        #expect(pipeline.started.map(\.kind) == (hasPreview ? [.preview] : []) + [.fast, .high])
    }

    @Test("fast images of all requests come before the first final image")
    func fastImagesFirst() {
        var pipeline = TablePipeline(workers: 1)
        for asset in 1...3 {
            _ = pipeline.submit(asset, .opportunistic, photograph: Self.photograph, wantsFastDegraded: true)
        }
        pipeline.finishAll()
        #expect(pipeline.started.map(\.kind) == [.fast, .fast, .fast, .high, .high, .high])
    }

    @Test("no fast image follows a cached image and a preview, nor one that is as large", arguments: [10, 100, 200])
    func noThird(cachedSide: Int) {
        var pipeline = TablePipeline(workers: 1)
        _ = pipeline.submit(1, side: cachedSide)
        pipeline.finishAll()
        let id = pipeline.submit(
            1, .opportunistic, side: 120, hasPreview: true, allowsSecondDegraded: true,
            photograph: Self.photograph, wantsFastDegraded: true)
        pipeline.finishAll()
        let received = pipeline.received(id)
        #expect(received.count { if case .degraded = $0 { true } else { false } } == (cachedSide < 120 ? 2 : 1))
        #expect(received.contains(.degraded(side: 120)) == (cachedSide < 120))
    }

    @Test("other modes get no fast image", arguments: [DeliveryMode.highQuality, .fast])
    func otherModes(mode: DeliveryMode) {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(1, mode, photograph: Self.photograph, wantsFastDegraded: true)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(mode == .fast ? .fast : .high)])
    }

    @Test("a fast image that is being made becomes the final one where the file is damaged")
    func fastBecomesFinal() {
        var pipeline = TablePipeline(workers: 2)
        let id = pipeline.submit(1, .opportunistic, photograph: Self.photograph, wantsFastDegraded: true)
        #expect(pipeline.running.map(\.kind) == [.fast, .high])
        pipeline.finish(TablePipeline.Rendition(1), with: TablePipeline.truncated)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.final(.fast)])
        #expect(pipeline.started.count == 2)
    }

    @Test("the fast image is given up with its request, and when the final one comes first", arguments: [false, true])
    func givenUp(isCancelled: Bool) {
        var pipeline = TablePipeline(workers: 2)
        let id = pipeline.submit(1, .opportunistic, photograph: Self.photograph, wantsFastDegraded: true)
        if isCancelled { pipeline.cancel(id) } else { pipeline.finish(TablePipeline.Rendition(1)) }
        #expect(pipeline.stopped.contains(TablePipeline.Rendition(1, .fast)))
        pipeline.finishAll()
        #expect(pipeline.received(id) == [isCancelled ? .cancelled : .final(.high)])
    }
}
