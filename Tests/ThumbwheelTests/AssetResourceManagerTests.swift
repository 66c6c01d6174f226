import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

@Suite("The bytes of resources", .endsHangs) struct AssetResourceManagerTests {
    private let manager = AssetResourceManager()
    /// A little more than two chunks.
    private let contents = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7 | 1) }

    /// The chunks and the end of a request, as its handlers saw them.
    private final class Log: Sendable {
        struct State {
            var chunks: [[UInt8]] = []
            var ends: [AssetResourceError?] = []
            var waiting: CheckedContinuation<Void, Never>?
        }

        let state = Mutex(State())

        func receive(_ chunk: [UInt8]) { state.withLock { $0.chunks.append(chunk) } }

        func end(_ error: AssetResourceError?) {
            state.withLock { state in
                state.ends.append(error)
                return state.waiting.take()
            }?.resume()
        }

        func wait() async -> State {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.ends.isEmpty { state.waiting = continuation }
                    return !state.ends.isEmpty
                }
                if isOver { continuation.resume() }
            }
            return state.withLock { $0 }
        }
    }

    private func resource(_ provider: StepwiseProvider) -> AssetResource { .provider(provider) }

    private func request(
        _ resource: AssetResource, _ options: AssetResourceRequestOptions = AssetResourceRequestOptions()
    ) -> (log: Log, id: AssetResourceDataRequestID) {
        let log = Log()
        let id = manager.requestData(
            for: resource, options: options, dataReceivedHandler: log.receive, completionHandler: log.end)
        return (log, id)
    }

    @Test("a handler gets all bytes in order, and then one completion")
    func handler() async throws {
        let folder = try ScratchFolder()
        for source in [
            AssetResource.bytes(contents), .file(path: try folder.write("a.jpg", contents)),
            resource(StepwiseProvider(contents)),
        ] {
            let end = await request(source).log.wait()
            #expect(Array(end.chunks.joined()) == contents && end.chunks.count == 3 && end.ends == [nil])
        }
        let empty = await request(.bytes([])).log.wait()
        #expect(empty.chunks.isEmpty && empty.ends == [nil])
        #expect(manager.requestCount == 0)
    }

    @Test("a handler that has not returned holds up the next read")
    func backPressure() async {
        let provider = StepwiseProvider(contents)
        let executor = ManualExecutor()
        let (log, _) = request(resource(provider), AssetResourceRequestOptions { $0.executor = executor.executor })
        for number in 1...3 {
            await executor.waitForWork()
            #expect(provider.readCount == number && log.state.withLock { $0.chunks.count } == number - 1)
            executor.runNext()
        }
        await executor.waitForWork()
        executor.runAll()
        #expect(log.state.withLock { $0.ends } == [nil])
    }

    @Test("a sequence reads a chunk when it is asked for one, and not before")
    func sequence() async throws {
        let provider = StepwiseProvider(contents)
        let chunks = manager.data(for: resource(provider))
        var iterator = chunks.makeAsyncIterator()
        #expect(provider.readCount == 0)
        var bytes: [UInt8] = []
        for number in 1...3 {
            bytes += try #require(try await iterator.next())
            #expect(provider.readCount == number)
        }
        #expect(try await iterator.next() == nil && provider.readCount == 3)
        #expect(bytes == contents)
        #expect(try await iterator.next() == nil, "a sequence that is over stays over")
    }

    @Test("progress rises to the whole, and its stop cancels")
    func progress() async throws {
        let fractions = Mutex<[Double]>([])
        var options = AssetResourceRequestOptions { options in
            options.progressHandler = { fraction, _ in fractions.withLock { $0.append(fraction) } }
        }
        _ = await request(.bytes(contents), options).log.wait()
        for try await _ in manager.data(for: .bytes(contents), options: options) {}
        let once = [262_144 / 600_000.0, 524_288 / 600_000.0, 1]
        #expect(fractions.withLock { $0 } == once + once)
        options.progressHandler = { fraction, stop in stop = fraction > 0.5 }
        let end = await request(.bytes(contents), options).log.wait()
        #expect(end.chunks.count == 2 && end.ends == [.cancelled])
        await #expect(throws: AssetResourceError.cancelled) {
            for try await _ in manager.data(for: .bytes(contents), options: options) {}
        }
    }

    @Test("a request that waits for a read ends at once when its identifier, token or task is cancelled")
    func cancelling() async throws {
        let provider = StepwiseProvider(contents, isSuspended: true)
        let (log, id) = request(resource(provider))
        await provider.waitForHeldReads(1)
        manager.cancelDataRequest(id)
        #expect(await log.wait().ends == [.cancelled])

        let token = CancellationToken()
        let options = AssetResourceRequestOptions { $0.cancellationToken = token }
        let second = request(resource(provider), options)
        await provider.waitForHeldReads(2)
        let manager = manager
        let third = Task {
            try await manager.data(for: .provider(provider), options: options).reduce(0) { $0 + $1.count }
        }
        await provider.waitForHeldReads(3)
        token.cancel()
        #expect(await second.log.wait().ends == [.cancelled])
        await #expect(throws: AssetResourceError.cancelled) { try await third.value }
        #expect(await request(resource(provider), options).log.wait().ends == [.cancelled], "the token is cancelled")

        let fourth = Task { try await manager.data(for: .provider(provider)).reduce(0) { $0 + $1.count } }
        await provider.waitForHeldReads(4)
        fourth.cancel()
        await #expect(throws: AssetResourceError.cancelled) { try await fourth.value }
        provider.resume()
        manager.cancelDataRequest(id)
        #expect(log.state.withLock { $0.ends.count } == 1 && log.state.withLock { $0.chunks }.isEmpty)
        #expect(manager.requestCount == 0 && token.handlerCount == 0)
    }

    @Test("a request that is cancelled while its handler runs completes after it, once")
    func cancellingInside() async {
        let log = Log()
        let executor = ManualExecutor()
        let id = manager.requestData(
            for: .bytes(contents), options: AssetResourceRequestOptions { $0.executor = executor.executor },
            dataReceivedHandler: log.receive, completionHandler: log.end)
        await executor.waitForWork()
        manager.cancelDataRequest(id)
        #expect(log.state.withLock { $0.ends }.isEmpty)
        executor.runAll()
        #expect(log.state.withLock { $0.ends } == [.cancelled] && log.state.withLock { $0.chunks.count } == 1)
    }

    @Test("bytes that are elsewhere need leave to use the network")
    func network() async throws {
        let provider = StepwiseProvider(contents, requiresNetwork: true)
        let refused = await request(resource(provider)).log.wait()
        #expect(refused.ends == [.networkAccessRequired] && refused.chunks.isEmpty && provider.readCount == 0)
        #expect(refused.ends[0]?.code == 3164)
        let allowed = AssetResourceRequestOptions { $0.isNetworkAccessAllowed = true }
        #expect(await request(resource(provider), allowed).log.wait().chunks.joined().elementsEqual(contents))
    }

    @Test("a read that fails, and a resource that ends too soon, end the request with their reason")
    func failures() async {
        let broken = await request(resource(StepwiseProvider(contents, failingAt: 262_144))).log.wait()
        #expect(broken.chunks.count == 1)
        #expect(broken.ends == [.source(.network(.connectionFailed(reason: "test")))] && broken.ends[0]?.code == 3169)
        let short = await request(resource(StepwiseProvider(contents, claiming: 700_000))).log.wait()
        #expect(short.ends == [.truncated(receivedByteCount: 600_000, expectedByteCount: 700_000)])
        let missing = await request(.file(path: "/nowhere/a.jpg")).log.wait()
        #expect(missing.ends == [.source(.notFound(path: "/nowhere/a.jpg"))] && missing.ends[0]?.code == 3303)
    }
}
