import TestSupport
import Testing
import Thumbwheel

@Suite(.endsHangs) struct ImageManagerAsyncTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()

    @Test("awaiting an image gives the final one, and makes no degraded one")
    func image() async throws {
        let manager = ImageManager(renderer)
        let bitmap = try await manager.image(for: Pictures.asset(1, hasPreview: true), targetSize: .small)
        #expect(bitmap.size.width == SuspendableRenderer.side)
        #expect(renderer.renditions.map(\.kind) == [.high])
    }

    @Test("the error of a request is thrown by type")
    func errors() async {
        let failing = SuspendableRenderer { _ in .failure(.rendering(.unsupportedFormat)) }
        let manager = ImageManager(failing)
        await #expect(throws: ImageRequestError.rendering(.unsupportedFormat)) {
            _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        }
        await #expect(throws: ImageRequestError.unsupportedMedia) {
            _ = try await manager.image(for: Pictures.asset(1, mediaType: .audio), targetSize: .small)
        }
        await #expect(throws: ImageRequestError.unsupportedMedia) {
            for try await _ in manager.images(for: Pictures.asset(1, mediaType: .audio), targetSize: .small) {}
        }
    }

    @Test("cancelling the task cancels the request and stops the render")
    func taskCancellation() async {
        renderer.suspend()
        let manager = ImageManager(renderer, workers: 1)
        let task = Task { try await manager.image(for: Pictures.asset(1), targetSize: .small) }
        await renderer.waitForCalls(1)
        task.cancel()
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        #expect(manager.statistics.requests.cancelled == 1)
        // The only worker is free.
        let next = Task { try await manager.image(for: Pictures.asset(2), targetSize: .small) }
        await renderer.waitForCalls(2)
        #expect(renderer.stoppedCount == 1)
        renderer.resume()
        await #expect(throws: Never.self) { try await next.value }
    }

    @Test("a task cancelled before it asks is not answered with an image that would have to be made")
    func cancelledBeforehand() async {
        renderer.suspend()
        let manager = ImageManager(renderer)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.image(for: Pictures.asset(1), targetSize: .small)
        }
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        #expect(manager.statistics.liveRequestCount == 0)
    }

    @Test("one token ends all the requests that were given it, of whatever form")
    func sharedToken() async {
        // Given
        renderer.suspend()
        let manager = ImageManager(renderer)
        let token = CancellationToken()
        let options = ImageRequestOptions { $0.cancellationToken = token }
        for number in 0..<20 {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small, options: options, resultHandler: log.handler(number))
        }
        let task = Task { try await manager.image(for: Pictures.asset(50), targetSize: .small, options: options) }
        let other = Task { try await manager.image(for: Pictures.asset(0), targetSize: .small) }
        await renderer.waitForCalls(2)
        // When
        token.cancel()
        // Then
        await log.waitForEnds(20)
        #expect(log.terminals.allSatisfy { $0 == .cancelled })
        await #expect(throws: ImageRequestError.cancelled) { try await task.value }
        manager.requestImage(
            for: Pictures.asset(60), targetSize: .small, options: options, resultHandler: log.handler(60))
        await log.waitForEnds(21)
        #expect(log.entries(60) == [.cancelled])
        renderer.resume()
        await #expect(throws: Never.self) { try await other.value }
    }

    @Test("under a token that is cancelled before, nothing begins, and the cache does not answer")
    func cancelledBefore() async throws {
        // Given
        let manager = ImageManager(renderer)
        _ = try await manager.image(for: Pictures.asset(1), targetSize: .small)
        let token = CancellationToken()
        token.cancel()
        let options = ImageRequestOptions { $0.cancellationToken = token }
        // When
        for number in 1...2 {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small, options: options, resultHandler: log.handler(number))
        }
        // Then
        await log.waitForEnds(2)
        #expect(log.entries(1) == [.cancelled])
        #expect(log.entries(2) == [.cancelled])
        #expect(manager.statistics.renders.started == 1)
    }

    @Test("a token keeps nothing of requests that have ended")
    func tokenLetsGo() async {
        final class Holding: Sendable {}
        let manager = ImageManager(renderer)
        let token = CancellationToken()
        weak let held: Holding?
        do {
            let holding = Holding()
            held = holding
            manager.requestImage(
                for: Pictures.asset(1), targetSize: .small,
                options: ImageRequestOptions { $0.cancellationToken = token },
                resultHandler: log.handler { _ in withExtendedLifetime(holding) {} })
        }
        await log.waitForEnds()
        // A worker that has left has let go of the handler that it ran.
        _ = manager.pipeline.shutDownAndWait()
        #expect(held == nil)
        token.cancel()
        #expect(log.entries() == [.final(side: SuspendableRenderer.side)])
    }

    @Test("the sequence gives the degraded image and then the final one, and ends")
    func sequence() async throws {
        let manager = ImageManager(renderer, workers: 1)
        var sides: [Int] = []
        var degraded: [Bool] = []
        for try await image in manager.images(for: Pictures.asset(1, hasPreview: true), targetSize: .small) {
            sides.append(image.bitmap.size.width)
            degraded.append(image.info.isDegraded)
        }
        #expect(sides == [SuspendableRenderer.previewSide, SuspendableRenderer.side])
        #expect(degraded == [true, false])
    }

    @Test("a sequence that fails gives what there was before it throws")
    func failingSequence() async {
        let failing = SuspendableRenderer { key in
            key.kind == .preview
                ? SuspendableRenderer.blankImage(key) : .failure(.rendering(.limitExceeded(limit: .pixels)))
        }
        let manager = ImageManager(failing, workers: 1)
        var count = 0
        do {
            for try await _ in manager.images(for: Pictures.asset(1, hasPreview: true), targetSize: .small) {
                count += 1
            }
            Issue.record("no error")
        } catch {
            #expect(error as? ImageRequestError == .rendering(.limitExceeded(limit: .pixels)))
        }
        #expect(count == 1)
    }

    @Test("leaving the loop early cancels the request")
    func leavingEarly() async throws {
        let manager = ImageManager(renderer, workers: 1)
        for try await image in manager.images(for: Pictures.asset(1, hasPreview: true), targetSize: .small) {
            // The final image may have been made by now, or not: nobody waits for it.
            #expect(image.info.isDegraded)
            break
        }
        let requests = manager.statistics.requests
        #expect(requests.cancelled + requests.delivered == 1)
        #expect(manager.statistics.liveRequestCount == 0)
    }

    @Test("a sequence whose task is cancelled ends, and its render stops")
    func cancelledSequence() async {
        renderer.suspend()
        let manager = ImageManager(renderer)
        let task = Task {
            for try await _ in manager.images(for: Pictures.asset(1), targetSize: .small) {}
        }
        await renderer.waitForCalls(1)
        task.cancel()
        _ = await task.result
        #expect(manager.statistics.liveRequestCount == 0)
        #expect(manager.statistics.requests.cancelled == 1)
    }
}
