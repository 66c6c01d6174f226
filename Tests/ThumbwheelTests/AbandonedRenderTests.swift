import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering

@testable import Thumbwheel

/// Renders that are cancelled inside a decoder that cannot be stopped: the renderer of these tests holds its calls up,
/// cancelled or not, until it is resumed.
@Suite(.endsHangs) struct AbandonedRenderTests {
    private let renderer = SuspendableRenderer(isSuspended: true, isStoppable: false)
    private let log = ResultLog()

    /// Requests an image of a type whose decoder can be stopped, or of one whose decoder cannot.
    @discardableResult
    private func submit(_ number: Int, _ type: ContentType = .avif, to manager: ImageManager) -> ImageRequestID {
        manager.requestImage(
            for: Pictures.asset(number, contentType: type), targetSize: .small, resultHandler: log.handler(number))
    }

    @Test("the worker begins its next render while the decoder still runs")
    func worker() async {
        // Given
        let manager = ImageManager(renderer, workers: 1)
        let cancelled = submit(0, to: manager)
        submit(1, .jpeg, to: manager)
        await renderer.waitForCalls(1)
        // When
        manager.cancelImageRequest(cancelled)
        // Then
        await renderer.waitForCalls(2)
        #expect(renderer.runningCount == 2 && renderer.renditions.map(\.subject.asset.low) == [0, 1])
        #expect(manager.statistics.runningRenderCount == 1)
        renderer.resume()
        await log.waitForEnds(2)
        #expect(log.entries(0) == [.cancelled])
        #expect(log.entries(1) == [.final(side: SuspendableRenderer.side)])
        // The thread of the first render takes no other: the worker has one thread.
        for number in 2..<40 { submit(number, .jpeg, to: manager) }
        await log.waitForEnds(40)
        #expect(renderer.peakRunningCount == 2)
        await manager.shutdown(graceful: true)
        #expect(log.violations == [])
    }

    @Test("the memory of the render counts until the decoder returns")
    func memory() async {
        let manager = ImageManager(renderer, workers: 1, keepsRenditions: false)
        let cancelled = submit(0, to: manager)
        await renderer.waitForCalls(1)
        let used = manager.statistics.budgetUsedByteCount
        manager.cancelImageRequest(cancelled)
        #expect(used > 0 && manager.statistics.budgetUsedByteCount == used)
        renderer.resume()
        await manager.shutdown(graceful: true)
        #expect(manager.statistics.budgetUsedByteCount == 0)
    }

    @Test("a manager that shuts down waits for it", arguments: [true, false])
    func shutdown(isGraceful: Bool) async {
        let manager = ImageManager(renderer, workers: 2)
        let cancelled = submit(0, to: manager)
        await renderer.waitForCalls(1)
        manager.cancelImageRequest(cancelled)
        async let end: Void = manager.shutdown(graceful: isGraceful)
        renderer.resume()
        await end
        #expect(renderer.runningCount == 0 && renderer.callCount == 1 && log.entries(0) == [.cancelled])
    }

    @Test("requests that are cancelled one after the other, at any moment, end once")
    func race() async {
        let renderer = SuspendableRenderer(isStoppable: false)
        let manager = ImageManager(renderer, workers: 2)
        for number in 0..<4000 {
            let id = submit(number, number % 3 == 0 ? .jpeg : .avif, to: manager)
            if number % 2 == 0 { manager.cancelImageRequest(id) }
        }
        await log.waitForEnds(4000)
        await manager.shutdown(graceful: true)
        let final = ResultLog.Entry.final(side: SuspendableRenderer.side)
        #expect((0..<4000).allSatisfy { log.entries($0) == [final] || $0 % 2 == 0 && log.entries($0) == [.cancelled] })
        #expect(manager.statistics.runningRenderCount == 0 && log.violations == [])
    }
}
