import TestSupport
import Testing
import Thumbwheel

@Suite(.timeLimit(.minutes(2))) struct ImageManagerShutdownTests {
    private let renderer = SuspendableRenderer(isSuspended: true)
    private let log = ResultLog()

    private func submit(_ numbers: Range<Int>, to manager: ImageManager) {
        for number in numbers {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small, resultHandler: log.handler(number))
        }
    }

    @Test("cancelling all ends what lives, and nothing that comes later")
    func cancelAll() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        manager.cancelAllRequests()
        await log.waitForEnds(20)
        #expect((0..<20).allSatisfy { log.entries($0) == [.cancelled] })
        renderer.resume()
        submit(20..<21, to: manager)
        await log.waitForEnds(21)
        #expect(log.entries(20) == [.final(side: SuspendableRenderer.side)])
        #expect(log.violations == [])
    }

    @Test("a graceful shutdown lets what lives end, and refuses what comes")
    func graceful() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        // What the shutdown begins with, held there.
        manager.pipeline.apply { $0.closeToNewRequests(at: $1) }
        submit(20..<21, to: manager)
        #expect(log.entries(20) == [.cancelled])
        #expect(manager.statistics.liveRequestCount == 20)
        renderer.resume()
        await manager.shutdown(graceful: true)
        #expect((0..<20).allSatisfy { log.entries($0) == [.final(side: SuspendableRenderer.side)] })
        #expect(renderer.runningCount == 0)
        #expect(log.violations == [])
    }

    @Test("an abrupt shutdown cancels what lives and leaves nothing running")
    func abrupt() async {
        let manager = ImageManager(renderer)
        submit(0..<20, to: manager)
        await renderer.waitForCalls(2)
        await manager.shutdown(graceful: false)
        #expect((0..<20).allSatisfy { log.entries($0) == [.cancelled] })
        #expect(renderer.runningCount == 0)
        #expect(manager.statistics.runningRenderCount == 0)
        #expect(log.violations == [])
    }

    @Test("shutting down twice, and a manager without work, returns")
    func twice() async {
        let manager = ImageManager(renderer)
        await manager.shutdown()
        await manager.shutdown(graceful: false)
        #expect(manager.statistics.liveRequestCount == 0)
    }
}
