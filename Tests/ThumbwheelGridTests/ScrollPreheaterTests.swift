import Dispatch
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelGrid
import ThumbwheelLocks

@Suite(.endsHangs) struct ScrollPreheaterTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()
    private let manager: ImageManager
    private let preheater: ScrollPreheater

    /// One column, four rows on the screen, a hundred photographs, one worker.
    init() {
        manager = ImageManager.undisturbed(renderer: renderer) {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 30
            $0.servesNewestFirst = false
            $0.executor = .inline
        }
        preheater = Self.preheater(over: manager) { [log] item, result in log.handler(item)(result) }
    }

    private static func preheater(
        over manager: ImageManager, assets: [Asset] = (0..<100).map { Pictures.asset($0) },
        allowsImmediateDelivery: Bool = false, executor: DeliveryExecutor? = nil,
        placeholderHandler: (@Sendable (Int, ThumbHash) -> Void)? = nil,
        resultHandler: @escaping @Sendable (Int, ImageResult) -> Void
    ) -> ScrollPreheater {
        ScrollPreheater(
            manager: CachingImageManager(manager),
            layout: GridLayout(columnCount: 1, cellSide: 10, viewport: PixelSize(width: 10, height: 40)),
            assets: assets, targetSize: PixelSize(width: 10, height: 10),
            options: ImageRequestOptions {
                $0.resizeMode = .exact
                $0.allowsImmediateDelivery = allowsImmediateDelivery
                $0.executor = executor
            },
            placeholderHandler: placeholderHandler, resultHandler: resultHandler)
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
            options: ImageRequestOptions { $0.priority = .background }, resultHandler: log.handler(200))
        await log.waitForEnds(9)
        // One row down: its photograph has been waiting.
        preheater.viewportMoved(to: 810)
        await log.waitForEnds(10)
        #expect(log.info(84)?.source == .cache)
        #expect(log.violations == [])
    }

    @Test("what the cache has comes before the call returns, where the options allow it")
    func immediateHits() async {
        preheater.viewportMoved(to: 0)
        await log.waitForEnds(4)
        let again = ResultLog()
        let isInCall = Mutex(false)
        let other = Self.preheater(
            over: manager, assets: (0..<4).map { Pictures.asset($0) }, allowsImmediateDelivery: true,
            executor: .queue(.global())
        ) { item, result in
            #expect(isInCall.withLock { $0 })
            again.handler(item)(result)
        }
        isInCall.withLock { $0 = true }
        other.viewportMoved(to: 0)
        isInCall.withLock { $0 = false }
        #expect((0..<4).allSatisfy { again.entries($0) == [.final(side: SuspendableRenderer.side)] })
    }

    @Test("a view that does not move asks for nothing")
    func rest() async {
        preheater.viewportMoved(to: 0)
        await log.waitForEnds(4)
        let submitted = manager.statistics.requests.submitted
        for _ in 0..<10 { preheater.viewportMoved(to: 0) }
        await preheater.settle()
        #expect(manager.statistics.requests.submitted == submitted)
    }

    @Test("a change keeps what stays under its new number, drops what was removed, and asks anew for what changed")
    func update() async {
        // Given: four on the screen, none of them made yet.
        renderer.suspend()
        preheater.viewportMoved(to: 0)
        await renderer.waitForCalls(1)
        let submitted = manager.statistics.requests.submitted
        // When: the first is gone, the third is another picture by now.
        let before = (0..<100).map { Pictures.asset($0) }
        var after = Array(before.dropFirst())
        after[1] = Pictures.asset(2, contentVersion: 2)
        preheater.update(
            with: FetchResultChangeDetails(
                from: FetchResult(before), to: FetchResult(after), changedObjects: [after[1]]))
        await preheater.settle()
        // Then: asset 1 is item 0, asset 3 item 2, and only assets 2 and 4 have been asked for.
        #expect(manager.statistics.requests.submitted == submitted + 2)
        renderer.resume()
        await log.waitForEnds(4)
        #expect(log.info(0)?.asset == before[1].identifier)
        #expect(log.info(1)?.asset == before[2].identifier)
        #expect(log.info(2)?.asset == before[3].identifier)
        #expect(log.info(3)?.asset == before[4].identifier)
        #expect(manager.statistics.requests.cancelled == 2)
        #expect(log.violations == [])
        let versions = renderer.renditions.filter { $0.subject.asset == before[2].identifier }.map(
            \.subject.contentVersion)
        #expect(versions.last == 2)
    }

    @Test("a photograph in several cells has a request for each, and none is left when the grid is emptied")
    func duplicates() async {
        renderer.suspend()
        let (twice, once) = (Pictures.asset(1), Pictures.asset(2))
        preheater.show(FetchResult([twice, twice, once, twice]), offset: 0)
        await renderer.waitForCalls(1)
        for _ in 0..<5 {
            preheater.show(FetchResult([Asset]()))
            preheater.show(FetchResult([twice, once, twice]))
            preheater.show(FetchResult([once, twice, twice, twice]))
        }
        await preheater.settle()
        #expect(manager.statistics.liveRequestCount == 4)
        preheater.show(FetchResult([Asset]()))
        await preheater.settle()
        #expect(manager.statistics.liveRequestCount == 0)
        renderer.resume()
        #expect(log.violations == [])
    }

    @Test("an image that two items show stays in the window while one of them does")
    func duplicatesInTheWindow() async {
        // Item 5, below the screen, and item 30 show the same photograph.
        let assets = (0..<100).map { Pictures.asset($0 == 30 ? 5 : $0) }
        let caching = CachingImageManager(manager)
        let grid = ScrollPreheater(
            manager: caching,
            layout: GridLayout(columnCount: 1, cellSide: 10, viewport: PixelSize(width: 10, height: 40)),
            assets: assets, targetSize: PixelSize(width: 10, height: 10), planner: IndexWindowPlanner(itemsEachSide: 30)
        ) { _, _ in }
        grid.viewportMoved(to: 0)
        await grid.settle()
        #expect(caching.window.imageCount == 33)
        // Items 6 to 99 are in the window now, and item 5 has left it.
        grid.viewportMoved(to: 360)
        await grid.settle()
        #expect(caching.window.imageCount == 64)
    }

    @Test("another list under the view is asked for, and what both show is not asked for again")
    func show() async {
        preheater.viewportMoved(to: 0)
        await log.waitForEnds(4)
        let submitted = manager.statistics.requests.submitted
        preheater.show(FetchResult([2, 3, 150, 151, 152].map { Pictures.asset($0) }), offset: 0)
        await log.waitForEnds(6)
        #expect(manager.statistics.requests.submitted == submitted + 2)
        #expect(log.info(2)?.asset == Pictures.asset(150).identifier)
        preheater.show(FetchResult([Asset]()))
        preheater.viewportMoved(to: 0)
        await preheater.settle()
        #expect(manager.statistics.requests.submitted == submitted + 2)
    }

    @Test("what is made later comes by the options' executor alone, though hits may be immediate")
    func executor() async {
        let thread = SerialThread()
        let again = ResultLog()
        let isOnExecutor = Mutex(false)
        let other = Self.preheater(
            over: manager, allowsImmediateDelivery: true,
            executor: DeliveryExecutor { body in
                thread.run {
                    isOnExecutor.withLock { $0 = true }
                    body()
                    isOnExecutor.withLock { $0 = false }
                }
            }
        ) { item, result in
            #expect(isOnExecutor.withLock { $0 })
            again.handler(item)(result)
        }
        other.viewportMoved(to: 0)
        await again.waitForEnds(4)
        #expect((0..<4).allSatisfy { again.entries($0) == [.final(side: SuspendableRenderer.side)] })
    }

    @Test("a grid that goes away ends its requests, and is heard of no more")
    func goingAway() async {
        renderer.suspend()
        let again = ResultLog()
        var other: ScrollPreheater? = Self.preheater(over: manager) { item, result in again.handler(item)(result) }
        other!.viewportMoved(to: 0)
        await renderer.waitForCalls(1)
        other = nil
        #expect((0..<4).allSatisfy { again.entries($0) == [.cancelled] })
        await manager.submissionThread.settle()
        #expect(manager.statistics.requests.cancelled == 4)
        renderer.resume()
        await manager.shutdown()
        #expect(manager.statistics.liveRequestCount == 0)
        #expect(again.violations == [])
    }

    @Test("who becomes visible and has a hash gets a placeholder, once and before any image of its own")
    func placeholders() async {
        // Given: odd ones have a hash.
        let hash = ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX")!
        let assets = (0..<100).map { Pictures.asset($0) }
        for number in stride(from: 1, to: 100, by: 2) { assets[number].keepThumbHash(hash) }
        let given = Mutex<[String]>([])
        func taken() -> [String] {
            given.withLock { given in
                defer { given = [] }
                return given
            }
        }
        let preheater = Self.preheater(
            over: manager, assets: assets,
            placeholderHandler: { [log] item, _ in
                given.withLock { $0.append("\(item) after \(log.entries(item).count) results") }
            },
            resultHandler: { [log] item, result in log.handler(item)(result) })
        // Then
        preheater.viewportMoved(to: 0)
        #expect(taken() == ["1 after 0 results", "3 after 0 results"])
        await log.waitForEnds(4)
        preheater.viewportMoved(to: 5)
        preheater.viewportMoved(to: 20)
        #expect(taken() == ["5 after 0 results"])
        // What stays is not covered up by a placeholder; what moves in gets one.
        preheater.show(FetchResult([assets[3], assets[7], assets[5], assets[2]]), offset: 0)
        #expect(taken() == ["1 after 1 results"])
    }
}
