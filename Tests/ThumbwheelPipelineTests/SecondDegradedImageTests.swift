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
                wantsPreview: false, work: RenderWork(asset: RenderWork.nothing.asset, predictedByteCount: 1),
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
}
