import SimulationKit
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// Work on any number of requests must be done in pieces, so that it does not hold up others.
@Suite struct PipelinePieceTests {
    private static let count = 1000

    @Test("very many due deadlines end in pieces, and each piece follows at once")
    func deadlines() {
        var pipeline = TablePipeline()
        let ids = (0..<Self.count).map { pipeline.submit($0, deadline: .milliseconds(5)) }
        pipeline.driver.now = pipeline.driver.now.advanced(by: .milliseconds(7))
        var lookCount = 0
        while let wake = pipeline.driver.wake, pipeline.statistics.requests.failed < Self.count, lookCount < 100 {
            #expect(wake <= pipeline.driver.now)
            let before = pipeline.statistics.requests.failed
            pipeline.driver.fire()
            lookCount += 1
            #expect(pipeline.statistics.requests.failed - before <= PipelineState.pieceLength)
        }
        #expect(lookCount == (Self.count + PipelineState.pieceLength - 1) / PipelineState.pieceLength)
        for id in ids { #expect(pipeline.received(id) == [.failed("deadlineExceeded")]) }
    }

    @Test("cancelling all requests works in pieces, and spares requests that come meanwhile")
    func cancelling() {
        var pipeline = TablePipeline()
        let ids = (0..<Self.count).map { pipeline.submit($0) }
        let last = pipeline.driver.state.lastRequest
        var later: [ImageRequestID] = []
        var place: Int?
        repeat {
            let before = pipeline.statistics.requests.cancelled
            place = pipeline.driver.apply { [place] in
                $0.cancelAll(through: last, from: place, atMost: PipelineState.pieceLength, at: $1)
            }
            #expect(pipeline.statistics.requests.cancelled - before <= PipelineState.pieceLength)
            later.append(pipeline.submit(5000 + later.count))
        } while place != nil
        #expect(later.count > 3)
        for id in ids { #expect(pipeline.received(id) == [.cancelled]) }
        for id in later { #expect(pipeline.received(id) == []) }
        #expect(pipeline.statistics.liveRequestCount == later.count)
    }

    @Test("closing gives up windows in pieces")
    func closing() {
        var pipeline = TablePipeline()
        for first in [0, Self.count] {
            let window = pipeline.addWindow()
            pipeline.startCaching((first..<first + Self.count).map { TablePipeline.Rendition($0) }, in: window)
        }
        func count() -> Int { pipeline.driver.state.cachingWindows.reduce(0) { $0 + $1.imageCount } }
        var pieceCount = 0
        var isOver = false
        while !isOver, pieceCount < 100 {
            let before = count()
            isOver = pipeline.driver.apply { $0.closeToNewRequests(atMost: PipelineState.pieceLength, at: $1) }
            pieceCount += 1
            #expect(before - count() <= PipelineState.pieceLength)
        }
        #expect(isOver && count() == 0 && pieceCount >= 2 * Self.count / PipelineState.pieceLength)
    }

    @Test("emptied tables give their memory back, and no job identifier is used twice")
    func tables() throws {
        var state = PipelineState(configuration: PipelineState.Configuration(workerCount: 1, budget: 1 << 20))
        func submit(_ asset: Int) -> RenderAssignment? {
            let request = PipelineRequest(
                key: TablePipeline.Rendition(asset).key, deliveryMode: .highQuality, priority: .userInitiated,
                urgency: 0, wantsPreview: false,
                work: RenderWork(
                    asset: RenderWork.nothing(for: TablePipeline.Rendition(asset).key.subject.asset).asset,
                    predictedByteCount: 1000),
                deadline: .seconds(1), receiver: .none)
            _ = state.submit(request, at: .zero)
            for case .start(let assignment) in state.takeActions() { return assignment }
            return nil
        }
        let first = try #require(submit(0))
        for asset in 1...6000 { _ = submit(asset) }
        #expect(state.requests.capacity > 6000 && state.renders.capacity > 6000)
        state.cancelAll(at: .zero)
        state.finish(first.job, with: .stopped, at: .zero)
        _ = state.takeActions()
        #expect(
            state.requests.capacity == 0 && state.renders.isEmpty
                && state.renders.capacity <= PipelineState.keptCapacity)
        #expect(state.brokenInvariant == nil)
        let next = try #require(submit(0))
        #expect(next.job != first.job)
        #expect(state.brokenInvariant == nil)
    }

    @Test(
        "free memory goes back to the system once very many requests have ended, and not for a few",
        arguments: [(PipelineState.pageReturnThreshold + 1, 1), (PipelineState.pageReturnThreshold / 2, 0)])
    func freePages(requestCount: Int, returnCount: Int) throws {
        var state = PipelineState(configuration: PipelineState.Configuration(workerCount: 1, budget: 1 << 20))
        for asset in 0..<requestCount {
            let request = PipelineRequest(
                key: TablePipeline.Rendition(asset).key, deliveryMode: .highQuality, priority: .userInitiated,
                urgency: 0, wantsPreview: false,
                work: RenderWork(
                    asset: RenderWork.nothing(for: TablePipeline.Rendition(asset).key.subject.asset).asset,
                    predictedByteCount: 1000), receiver: .none)
            _ = state.submit(request, at: .zero)
        }
        var actions = state.takeActions()
        #expect(!actions.contains { $0.returnsFreePages })
        var place: Int?
        let last = state.lastRequest
        repeat {
            place = state.cancelAll(through: last, from: place, atMost: PipelineState.pieceLength, at: .zero)
            actions += state.takeActions()
        } while place != nil
        for _ in 0..<3 {
            state.dispatch(at: .zero)
            actions += state.takeActions()
        }
        #expect(actions.count { $0.returnsFreePages } == returnCount)
    }
}

extension PipelineAction {
    fileprivate var returnsFreePages: Bool {
        if case .returnFreePages = self { true } else { false }
    }
}
