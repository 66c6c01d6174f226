import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// Requests for one picture in several sizes, which cost one decode.
@Suite struct PipelineSharingTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("what waits for one picture is made of one decode, the most urgent first, and each gets its own")
    func waiting() {
        // Given
        var pipeline = TablePipeline()
        _ = pipeline.submit(9)
        let small = pipeline.submit(1, side: 100, priority: .prefetch, eighths: 2)
        let large = pipeline.submit(1, side: 400, urgency: 2, eighths: 4)
        let cropped = pipeline.submit(
            1, side: 50, crop: NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5), urgency: 1, eighths: 1)
        let fast = pipeline.submit(1, .fast, side: 100, urgency: 3, eighths: 1)
        // When
        pipeline.finishAll()
        // Then
        #expect(pipeline.decodes.map { $0.map(\.side) } == [[100], [50, 400, 100], [100]])
        for id in [small, large, cropped] { #expect(pipeline.received(id) == [.final(.high)]) }
        #expect(pipeline.received(fast) == [.final(.fast)])
        #expect(pipeline.statistics.renders.finished == 3)
        #expect(pipeline.statistics.renders.shared == 2)
    }

    @Test("pictures of different assets, and other kinds of work, are not of one decode")
    func unrelated() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(9)
        _ = pipeline.submit(1, eighths: 2)
        _ = pipeline.submit(2, eighths: 2)
        _ = pipeline.submit(1, side: 200)
        pipeline.finishAll()
        #expect(pipeline.decodes.allSatisfy { $0.count == 1 })
        #expect(pipeline.statistics.renders.shared == 0)
    }

    @Test("a decode that has only just begun begins again for one that comes late, and not for ever")
    func late() {
        // Given: a second worker that would be free for a decode of its own.
        var pipeline = TablePipeline(workers: 2)
        let first = pipeline.submit(1, side: 100, eighths: 2, milliseconds: 20)
        pipeline.driver.advance(byMilliseconds: 4)
        // When
        let second = pipeline.submit(1, side: 200, eighths: 4, milliseconds: 20)
        // Then
        #expect(pipeline.stopped == [Rendition(1, side: 100)])
        #expect(pipeline.decodes.count == 1)
        let third = pipeline.submit(1, side: 300, eighths: 4, milliseconds: 20)
        pipeline.finish(Rendition(1, side: 100), with: .stopped)
        #expect(pipeline.decodes.last?.map(\.side) == [100, 200, 300])
        _ = pipeline.submit(1, side: 400, eighths: 4, milliseconds: 20)
        pipeline.finish(Rendition(1, side: 100), with: .stopped)
        #expect(pipeline.decodes.last?.map(\.side) == [100, 200, 300, 400])
        _ = pipeline.submit(1, side: 500, eighths: 4, milliseconds: 20)
        #expect(pipeline.decodes.last?.map(\.side) == [500])
        pipeline.finishAll()
        for id in [first, second, third] { #expect(pipeline.received(id) == [.final(.high)]) }
        #expect(pipeline.statistics.renders.finished == 2)
        #expect(pipeline.statistics.renders.preempted == 2)
    }

    @Test("a decode that is well under way is let finish, and so is one that cannot be stopped")
    func tooLate() {
        var pipeline = TablePipeline(workers: 4)
        _ = pipeline.submit(1, side: 100, eighths: 2, milliseconds: 20)
        _ = pipeline.submit(2, side: 100, eighths: 2, isStoppable: false, milliseconds: 20)
        _ = pipeline.submit(2, side: 200, eighths: 2, isStoppable: false, milliseconds: 20)
        pipeline.driver.advance(byMilliseconds: 5)
        _ = pipeline.submit(1, side: 200, eighths: 2, milliseconds: 20)
        #expect(pipeline.stopped.isEmpty)
        #expect(pipeline.decodes.count == 4)
    }

    @Test("where the decode is over before it is stopped, the one that came late has its own")
    func overBeforeStopped() {
        var pipeline = TablePipeline(workers: 2)
        let first = pipeline.submit(1, side: 100, eighths: 2, milliseconds: 20)
        let second = pipeline.submit(1, side: 200, eighths: 2, milliseconds: 20)
        pipeline.finish(Rendition(1, side: 100))
        #expect(pipeline.received(first) == [.final(.high)])
        #expect(pipeline.running == [Rendition(1, side: 200)])
        pipeline.finishAll()
        #expect(pipeline.received(second) == [.final(.high)])
    }

    @Test("where the decode does not answer, the one that came late has its own once the time for a render is over")
    func noAnswer() {
        var pipeline = TablePipeline(workers: 2)
        let first = pipeline.submit(1, side: 100, eighths: 2, milliseconds: 20)
        let second = pipeline.submit(1, side: 200, eighths: 2, milliseconds: 20)
        pipeline.driver.advance(byMilliseconds: 30_000)
        #expect(pipeline.received(first) == [.failed("timeLimitExceeded")])
        #expect(pipeline.running == [Rendition(1, side: 100), Rendition(1, side: 200)])
        pipeline.finish(Rendition(1, side: 200))
        #expect(pipeline.received(second) == [.final(.high)])
    }

    @Test("a decode goes on for as long as anybody wants any of it, at the rank of the most urgent")
    func cancelling() {
        // Given
        var pipeline = TablePipeline()
        _ = pipeline.submit(9)
        let lead = pipeline.submit(1, side: 100, eighths: 2)
        let companion = pipeline.submit(1, side: 200, priority: .prefetch, eighths: 2)
        pipeline.finish(Rendition(9))
        // When the visible one is not wanted any more, visible work preempts what is left.
        pipeline.cancel(lead)
        #expect(pipeline.stopped.isEmpty)
        let other = pipeline.submit(2)
        #expect(pipeline.stopped == [Rendition(1, side: 100)])
        pipeline.finish(Rendition(1, side: 100), with: .stopped)
        #expect(pipeline.running == [Rendition(2)])
        pipeline.finishAll()
        // Then
        #expect(pipeline.received(lead) == [.cancelled])
        #expect(pipeline.received(companion) == [.final(.high)])
        #expect(pipeline.received(other) == [.final(.high)])
        #expect(pipeline.started.last == Rendition(1, side: 200))
        // And nobody: it stops.
        let ids = [100, 200].map { pipeline.submit(3, side: $0, eighths: 2, milliseconds: 9) }
        pipeline.finish(Rendition(3, side: 100), with: .stopped)
        for id in ids { pipeline.cancel(id) }
        #expect(pipeline.stopped.count == 3)
        pipeline.finish(Rendition(3, side: 100), with: .stopped)
        #expect(pipeline.statistics.renders.stopped == 1)
        #expect(pipeline.running.isEmpty)
    }

    @Test("a decode runs at the rank of the most urgent that it is for")
    func rank() {
        var pipeline = TablePipeline()
        let blocker = pipeline.submit(9)
        _ = pipeline.submit(1, side: 100, priority: .prefetch, eighths: 2)
        let companion = pipeline.submit(1, side: 200, priority: .background, eighths: 2)
        pipeline.cancel(blocker)
        pipeline.finish(Rendition(9), with: .stopped)
        #expect(pipeline.decodes.last?.map(\.side) == [100, 200])
        pipeline.setPriority(.userInitiated, of: companion)
        _ = pipeline.submit(2)
        #expect(pipeline.stopped == [Rendition(9)])
    }

    @Test("a window's rendition comes along where that makes no decode larger, and not otherwise")
    func windows() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(9)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1, side: 50)], in: window, eighths: 1)
        pipeline.startCaching([Rendition(1, side: 400)], in: window, eighths: 8)
        _ = pipeline.submit(1, side: 100, eighths: 2)
        pipeline.finishAll()
        #expect(pipeline.decodes.dropFirst().map { $0.map(\.side) } == [[100, 50], [400]])
        let cached = pipeline.submit(1, side: 50, eighths: 1)
        #expect(pipeline.received(cached) == [.cached(.high)])
    }

    @Test("a file is of its own scale, and never of pixels that are not")
    func files() {
        // Given
        var pipeline = TablePipeline()
        let png = ImageEncoding.png
        _ = pipeline.submit(9)
        _ = pipeline.submit(1, side: 100, urgency: 1, eighths: 2)
        _ = pipeline.submit(1, side: 100, urgency: 2, eighths: 2, encoding: png)
        _ = pipeline.submit(1, side: 200, urgency: 3, eighths: 4)
        _ = pipeline.submit(1, side: 200, urgency: 4, eighths: 4, encoding: png)
        // When
        pipeline.finishAll()
        // Then
        #expect(pipeline.decodes.dropFirst().map { $0.map(\.side) } == [[100, 100], [200, 200]])
        // Pixels that were reduced from a larger decode are not what a file's tag promises.
        _ = pipeline.submit(8)
        _ = pipeline.submit(2, side: 100, eighths: 2)
        _ = pipeline.submit(2, side: 200, eighths: 4)
        pipeline.finishAll()
        #expect(pipeline.decodes.last?.map(\.side) == [100, 200])
        for side in [100, 200] { _ = pipeline.submit(2, side: side, eighths: side / 50, encoding: png) }
        pipeline.finishAll()
        #expect(pipeline.driver.starts.suffix(2).map { $0.input != nil } == [false, true])
    }

    @Test("what there is no memory for is not made along, and a decode pays for all that it makes")
    func memory() {
        var pipeline = TablePipeline(budget: 2200)
        _ = pipeline.submit(9, bytes: 100)
        for side in [100, 200, 300, 400] {
            _ = pipeline.submit(1, side: side, urgency: Double(side), bytes: 1000, eighths: 2)
        }
        pipeline.finish(Rendition(9), bytes: 10)
        // Working memory once, and three outputs.
        #expect(pipeline.decodes.last?.map(\.side) == [100, 200, 300])
        #expect(pipeline.statistics.budgetUsedByteCount == 2010)
        pipeline.finishAll(bytes: 500)
        #expect(pipeline.statistics.requests.delivered == 5)
        // The three are on their way to receivers when the fourth begins.
        #expect(pipeline.statistics.budgetPeakByteCount == 2500)
    }

    @Test("what fails by itself fails alone; what fails the decode fails all of them")
    func failures() {
        var pipeline = TablePipeline()
        let error = ImageRequestError.rendering(.limitExceeded(limit: .pixels))
        for asset in 1...2 {
            _ = pipeline.submit(9, side: asset)
            let ids = [100, 200].map { pipeline.submit(asset, side: $0, urgency: Double($0), eighths: 2) }
            pipeline.finish(Rendition(9, side: asset))
            let image = TablePipeline.image(for: Rendition(asset, side: 200))
            pipeline.finish(
                Rendition(asset, side: 100),
                with: asset == 1 ? .ended([.failure(error), .success(image)]) : .failed(error))
            #expect(pipeline.received(ids[0]) == [.failed(error.name)])
            #expect(pipeline.received(ids[1]) == (asset == 1 ? [.final(.high)] : [.failed(error.name)]))
        }
    }

    @Test("bytes that come over a network are fetched once, and decoded once")
    func network() {
        var pipeline = TablePipeline()
        let ids = [100, 200].map { pipeline.submit(1, side: $0, urgency: Double($0), eighths: 2, remoteBytes: 500) }
        pipeline.finishFetch(1)
        #expect(pipeline.decodes.map { $0.map(\.side) } == [[100, 200]])
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
    }
}
