import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// Bytes that come over a network: when they are fetched, who waits for them, and what they cost.
@Suite struct PipelineFetchTests {
    private typealias Rendition = TablePipeline.Rendition

    @Test("a job whose bytes are elsewhere takes no worker until they are here")
    func slowProvider() {
        var pipeline = TablePipeline(workers: 1)
        let remote = pipeline.submit(1, remoteBytes: 500)
        let local = pipeline.submit(2)
        #expect(pipeline.fetching == [1])
        #expect(pipeline.running == [Rendition(2)])
        pipeline.finishAll()
        #expect(pipeline.received(local) == [.final(.high)])
        #expect(pipeline.statistics.runningRenderCount == 0)
        #expect(pipeline.received(remote) == [])
        pipeline.finishFetch(1)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.finishAll()
        #expect(pipeline.received(remote) == [.final(.high)])
        #expect(pipeline.statistics.fetches.finished == 1)
        #expect(pipeline.statistics.fetches.byteCount == 500)
    }

    @Test("one fetch serves all requests for an asset, and its bytes are paid for while any of them needs them")
    func shared() {
        var pipeline = TablePipeline(workers: 1, keepsRenditions: false)
        let small = pipeline.submit(1, side: 100, bytes: 10, remoteBytes: 500)
        let large = pipeline.submit(1, side: 200, bytes: 10, remoteBytes: 500)
        #expect(pipeline.driver.fetches.count == 1)
        #expect(pipeline.statistics.budgetUsedByteCount == 500)
        // More than was expected, and one more request for what is here.
        pipeline.finishFetch(1, bytes: 600)
        let fast = pipeline.submit(1, .fast, side: 100, bytes: 10, remoteBytes: 500)
        #expect(pipeline.statistics.budgetUsedByteCount == 610)
        pipeline.finish(Rendition(1, side: 100))
        pipeline.finish(Rendition(1, side: 200))
        #expect(pipeline.statistics.budgetUsedByteCount == 610)
        pipeline.finish(Rendition(1, .fast, side: 100))
        #expect(pipeline.statistics.budgetUsedByteCount == 0)
        #expect(pipeline.driver.fetchedByteCount == 0)
        #expect(pipeline.received(small) == [.final(.high)])
        #expect(pipeline.received(large) == [.final(.high)])
        #expect(pipeline.received(fast) == [.final(.fast)])
        #expect(pipeline.driver.fetches.count == 1)
    }

    @Test("without leave to use the network a request fails, after the degraded image that is at hand")
    func networkAccessRequired() {
        var pipeline = TablePipeline(workers: 1)
        let plain = pipeline.submit(1, remoteBytes: 500, allowsNetwork: false)
        #expect(pipeline.received(plain) == [.failed("networkAccessRequired")])
        let withProxy = pipeline.submit(1, .opportunistic, hasPreview: true, remoteBytes: 500, allowsNetwork: false)
        #expect(pipeline.received(withProxy) == [])
        pipeline.finish(Rendition(1, .preview))
        #expect(
            pipeline.received(withProxy) == [
                .degraded(side: TablePipeline.previewSide), .failed("networkAccessRequired"),
            ])
        let withCached = pipeline.submit(1, .opportunistic, remoteBytes: 500, allowsNetwork: false)
        #expect(
            pipeline.received(withCached) == [
                .degraded(side: TablePipeline.previewSide), .failed("networkAccessRequired"),
            ])
        #expect(pipeline.driver.fetches.isEmpty)
        let other = pipeline.submit(2, .opportunistic, hasPreview: true, remoteBytes: 500, allowsNetwork: false)
        pipeline.finish(Rendition(2, .preview), with: .failed(.rendering(.noPreview)))
        #expect(pipeline.received(other) == [.failed("networkAccessRequired")])
        pipeline.cancel(pipeline.submit(3, .opportunistic, hasPreview: true, remoteBytes: 500, allowsNetwork: false))
    }

    @Test("a request without leave profits from bytes that are here, and from cached renditions")
    func othersBytes() {
        var pipeline = TablePipeline(workers: 1)
        _ = pipeline.submit(9)
        _ = pipeline.submit(1, remoteBytes: 500)
        pipeline.finishFetch(1)
        let other = pipeline.submit(1, side: 200, remoteBytes: 500, allowsNetwork: false)
        pipeline.finishAll()
        #expect(pipeline.received(other) == [.final(.high)])
        let cached = pipeline.submit(1, remoteBytes: 500, allowsNetwork: false)
        #expect(pipeline.received(cached) == [.cached(.high)])
    }

    @Test("a fetch that nobody wants any more is stopped, and forgotten where it has not begun")
    func unwanted() {
        var pipeline = TablePipeline(workers: 1, fetchLimit: 1)
        let first = pipeline.submit(1, remoteBytes: 500)
        let shared = pipeline.submit(1, side: 200, remoteBytes: 500)
        let queued = pipeline.submit(2, remoteBytes: 500)
        pipeline.cancel(first)
        #expect(!pipeline.driver.fetching[0].token.isCancelled)
        pipeline.cancel(queued)
        #expect(pipeline.statistics.queuedFetchCount == 0)
        pipeline.cancel(shared)
        #expect(pipeline.driver.fetching[0].token.isCancelled)
        // Wanted again before it has stopped.
        let again = pipeline.submit(1, remoteBytes: 500)
        pipeline.finishFetch(1, with: .stopped)
        #expect(pipeline.fetching == [1])
        pipeline.finishFetch(1)
        pipeline.finishAll()
        #expect(pipeline.received(again) == [.final(.high)])
        let last = pipeline.submit(3, remoteBytes: 500)
        pipeline.cancel(last)
        pipeline.finishFetch(3)
        #expect(pipeline.statistics.runningFetchCount == 0)
        #expect(pipeline.driver.fetchedByteCount == 0)
    }

    @Test("visible requests' bytes come first, and make prefetches' make way")
    func order() {
        var pipeline = TablePipeline(workers: 1, fetchLimit: 1)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1), Rendition(2)], in: window, remoteBytes: 500)
        _ = pipeline.submit(3, priority: .background, remoteBytes: 500)
        #expect(pipeline.fetching == [1])
        let far = pipeline.submit(4, urgency: 2, remoteBytes: 500)
        _ = pipeline.submit(5, urgency: 1, remoteBytes: 500)
        #expect(pipeline.driver.fetching[0].token.isCancelled)
        pipeline.finishFetch(1, with: .stopped)
        #expect(pipeline.fetching == [5])
        pipeline.setPriority(.userInitiated, urgency: 0, of: far)
        for asset in [5, 4, 1, 2, 3] {
            #expect(pipeline.fetching == [asset])
            pipeline.finishFetch(asset)
        }
        #expect(pipeline.statistics.fetches.preempted == 1)
    }

    @Test("a fetch that fails ends all requests that wait for it, and a later one tries again")
    func failure() {
        var pipeline = TablePipeline(workers: 1)
        let requests = [
            pipeline.submit(1, remoteBytes: 500), pipeline.submit(1, remoteBytes: 500),
            pipeline.submit(1, .opportunistic, side: 200, remoteBytes: 500),
        ]
        pipeline.finishFetch(1, with: .failed(.network(.timedOut)))
        for request in requests { #expect(pipeline.received(request) == [.failed("network")]) }
        #expect(pipeline.statistics.requests.failed == 3)
        let again = pipeline.submit(1, remoteBytes: 500)
        pipeline.finishFetch(1)
        pipeline.finishAll()
        #expect(pipeline.received(again) == [.final(.high)])
    }

    @Test(
        "progress comes before the result, only to those who asked, only what is new, and of what is missed the latest")
    func progress() {
        var pipeline = TablePipeline(workers: 1)
        let curious = pipeline.submit(1, remoteBytes: 500, reportsProgress: true)
        let other = pipeline.submit(1, remoteBytes: 500)
        pipeline.progressFetch(1, to: 0.25)
        #expect(pipeline.received(curious) == [.progress(0.25)])
        for fraction in [0.253, 0.2, .nan, 0.5, 0.75] { pipeline.progressFetch(1, to: fraction) }
        pipeline.finishFetch(1)
        pipeline.finishAll()
        #expect(pipeline.received(curious) == [.progress(0.75), .final(.high)])
        #expect(pipeline.received(other) == [.final(.high)])
    }

    @Test("a degraded image is made from the proxy while the bytes come")
    func proxy() {
        var pipeline = TablePipeline(workers: 1)
        let id = pipeline.submit(1, .opportunistic, hasPreview: true, remoteBytes: 500)
        pipeline.finish(Rendition(1, .preview))
        pipeline.finishFetch(1)
        pipeline.finishAll()
        #expect(pipeline.received(id) == [.degraded(side: TablePipeline.previewSide), .final(.high)])
    }

    @Test("fetches stay within the budget, and a visible file larger than it comes alone")
    func budget() {
        var pipeline = TablePipeline(workers: 2, budget: 1000, fetchLimit: 4)
        let one = pipeline.submit(1, bytes: 100, remoteBytes: 600)
        let two = pipeline.submit(2, bytes: 100, remoteBytes: 600)
        #expect(pipeline.fetching == [1])
        pipeline.finishFetch(1, bytes: 600)
        #expect(pipeline.running == [Rendition(1)])
        pipeline.finish(Rendition(1), bytes: 100)
        #expect(pipeline.fetching == [2])
        pipeline.finishFetch(2, bytes: 600)
        pipeline.finish(Rendition(2), bytes: 100)
        #expect(pipeline.received(one) == [.final(.high)])
        #expect(pipeline.received(two) == [.final(.high)])
        let huge = pipeline.submit(3, bytes: 100, remoteBytes: 5000)
        #expect(pipeline.fetching == [3])
        pipeline.finishFetch(3, bytes: 5000)
        pipeline.finish(Rendition(3), bytes: 100)
        #expect(pipeline.received(huge) == [.final(.high)])
        #expect(pipeline.statistics.budgetUsedByteCount <= 1000)
    }

    @Test("bytes that only a window wants make way for visible work, and are fetched again")
    func givenUp() {
        var pipeline = TablePipeline(workers: 1, budget: 1000)
        let blocker = pipeline.submit(9, bytes: 10)
        let window = pipeline.addWindow()
        pipeline.startCaching([Rendition(1)], in: window, bytes: 100, remoteBytes: 500)
        pipeline.finishFetch(1, bytes: 500)
        let visible = pipeline.submit(2, bytes: 800)
        pipeline.finish(Rendition(9), bytes: 10)
        #expect(pipeline.running == [Rendition(2)])
        #expect(pipeline.driver.fetchedByteCount == 0)
        pipeline.finish(Rendition(2), bytes: 10)
        #expect(pipeline.fetching == [1])
        pipeline.finishFetch(1, bytes: 500)
        pipeline.finishAll()
        #expect(pipeline.started.last == Rendition(1))
        _ = (pipeline.received(blocker), pipeline.received(visible))
    }

    @Test("a closed pipeline is done when its last fetch has reported")
    func closing() {
        var pipeline = TablePipeline(workers: 1)
        _ = pipeline.submit(1, remoteBytes: 500)
        pipeline.driver.apply { $0.close(at: $1) }
        #expect(!pipeline.driver.isIdle)
        pipeline.finishFetch(1, with: .stopped)
        #expect(pipeline.driver.isIdle)
    }

    @Test("one long file of unknown length does not count for ever: shorter ones bring the expectation down")
    func unknownLengthsFall() {
        var pipeline = TablePipeline(fetchLimit: 1)
        func fetch(_ asset: Int, bytes: Int) {
            _ = pipeline.submit(asset, remoteBytes: 0)
            pipeline.finishFetch(asset, bytes: bytes)
            pipeline.finishAll()
        }
        fetch(1, bytes: 64 << 20)
        #expect(pipeline.driver.state.fetches.assumedByteCount == 64 << 20)
        for asset in 2...20 { fetch(asset, bytes: 1 << 20) }
        #expect(pipeline.driver.state.fetches.assumedByteCount < 2 << 20)
        fetch(21, bytes: 9 << 20)
        #expect(pipeline.driver.state.fetches.assumedByteCount == 9 << 20)
    }

    @Test("files of unknown length are not all fetched at once in the hope that they are short")
    func unknownLengths() {
        var pipeline = TablePipeline(budget: 20 << 20, fetchLimit: 8)
        for asset in 1...8 { _ = pipeline.submit(asset, remoteBytes: 0) }
        #expect(pipeline.fetching == [1, 2])
        // The fetched files are longer than assumed, so the others may be, too.
        pipeline.finishFetch(1, bytes: 15 << 20)
        pipeline.finishFetch(2, bytes: 1 << 20)
        pipeline.finishAll()
        #expect(pipeline.fetching == [3])
        while let asset = pipeline.fetching.first {
            pipeline.finishFetch(asset, bytes: 15 << 20)
            pipeline.finishAll()
        }
        #expect(pipeline.statistics.fetches.finished == 8)
        #expect(pipeline.statistics.budgetPeakByteCount <= 24 << 20)
    }
}
