import TestSupport
import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite(.timeLimit(.minutes(2))) struct ScrollPreheaterTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()
    private let manager: ImageManager
    private let preheater: ScrollPreheater

    /// One column, four rows on the screen, a hundred photographs, one worker.
    init() {
        manager = ImageManager(
            configuration: ImageManager.Configuration(
                workerCount: 1, memoryBudget: 1 << 30, servesNewestFirst: false, executor: .inline),
            renderer: renderer, recordsRenders: false)
        preheater = ScrollPreheater(
            manager: CachingImageManager(manager),
            layout: GridLayout(columnCount: 1, cellSide: 10, viewport: PixelSize(width: 10, height: 40)),
            assets: (0..<100).map { Pictures.asset($0) }, targetSize: PixelSize(width: 10, height: 10),
            resultHandler: { [log] item, result in log.handler(item)(result) })
    }

    private var rendered: [Int] { renderer.renditions.map { Int($0.subject.asset.low) } }

    @Test("what is visible comes from the revealing edge, then the window ahead and behind, once each")
    func order() async {
        // Given
        renderer.suspend()
        preheater.viewportMoved(to: 400)
        await renderer.waitForCalls(1)
        // When
        renderer.resume()
        await renderer.waitForCalls(20)
        // Then
        await log.waitForEnds(4)
        #expect(rendered == [43, 42, 41, 40] + Array(44..<54) + Array((34..<40).reversed()))
        #expect((40..<44).allSatisfy { log.entries($0) == [.final(side: SuspendableRenderer.side)] })
    }

    @Test("what has left is cancelled and stopped, and what was prepared comes from the cache")
    func scrolling() async {
        renderer.suspend()
        preheater.viewportMoved(to: 0)
        await renderer.waitForCalls(1)
        preheater.viewportMoved(to: 800)
        await log.waitForEnds(4)
        #expect((0..<4).allSatisfy { log.entries($0) == [.cancelled] })
        await renderer.waitForCalls(2)
        #expect(renderer.stoppedCount >= 1)
        renderer.resume()
        await log.waitForEnds(8)
        // Nothing more urgent than the window is left: this ends when the window is filled.
        manager.requestImage(
            for: Pictures.asset(200), targetSize: PixelSize(width: 10, height: 10),
            options: ImageRequestOptions(priority: .background), resultHandler: log.handler(200))
        await log.waitForEnds(9)
        // One row down: its photograph has been waiting.
        preheater.viewportMoved(to: 810)
        await log.waitForEnds(10)
        #expect(log.info(84)?.source == .cache)
        #expect(log.violations == [])
    }

    @Test("a view that does not move asks for nothing")
    func rest() async {
        preheater.viewportMoved(to: 0)
        await log.waitForEnds(4)
        let submitted = manager.statistics.requests.submitted
        for _ in 0..<10 { preheater.viewportMoved(to: 0) }
        #expect(manager.statistics.requests.submitted == submitted)
    }
}
