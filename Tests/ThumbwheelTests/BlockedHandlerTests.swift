import Dispatch
import TestSupport
import Testing
import Thumbwheel

/// Blocked closures of hosts delay only their own results.
///
/// The tests are serialized, because each blocks as many threads as the process may use.
@Suite(.serialized, .endsHangs) struct BlockedHandlerTests {
    private static let count = 100
    private let renderer = SuspendableRenderer()
    private let gate = DispatchSemaphore(value: 0)
    private let log = ResultLog()

    private func manager() -> ImageManager {
        ImageManager(renderer, workers: 1, executor: ImageManager.Configuration().executor)
    }

    @Test("while a hundred handlers block, a cached result is delivered and a deadline fires")
    func delivered() async {
        let manager = manager()
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(-1))
        await log.waitForEnds(1)
        for number in 0..<Self.count {
            manager.requestImage(
                for: Pictures.asset(1), targetSize: .small,
                resultHandler: log.handler(number) { [gate] _ in gate.wait() })
        }
        await log.waitForEnds(1 + Self.count)
        manager.requestImage(for: Pictures.asset(1), targetSize: .small, resultHandler: log.handler(1000))
        renderer.suspend()
        manager.requestImage(
            for: Pictures.asset(2), targetSize: .small, options: ImageRequestOptions { $0.deadline = .milliseconds(1) },
            resultHandler: log.handler(1001))
        await log.waitForEnds(3 + Self.count)
        #expect(log.entries(1001) == [.failed("deadlineExceeded")])
        for _ in 0..<Self.count { gate.signal() }
        renderer.resume()
    }

    @Test("a host's own executor that runs handlers at once holds up no other request's deadline")
    func immediateExecutor() async {
        let manager = manager()
        renderer.suspend()
        for number in 0..<4 {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small,
                options: ImageRequestOptions {
                    // Apart: those of one moment share a thread with such an executor.
                    $0.deadline = .milliseconds(1 + 20 * number)
                    $0.executor = DeliveryExecutor { $0() }
                },
                resultHandler: log.handler(number) { [gate] _ in if number < 3 { gate.wait() } })
        }
        await log.waitForEnds(4)
        for _ in 0..<3 { gate.signal() }
        renderer.resume()
    }

    @Test("an inline handler that blocks at its deadline delays no other deadline")
    func inlineDeadlines() async {
        let manager = manager()
        renderer.suspend()
        for number in 0..<4 {
            manager.requestImage(
                for: Pictures.asset(number), targetSize: .small,
                options: ImageRequestOptions {
                    $0.deadline = .milliseconds(1 + number)
                    $0.executor = .inline
                },
                resultHandler: log.handler(number) { [gate] _ in if number < 3 { gate.wait() } })
        }
        await log.waitForEnds(4)
        for _ in 0..<3 { gate.signal() }
        renderer.resume()
    }

    @Test("synchronous requests for remote photographs end, even if they hold every thread of Dispatch's")
    func synchronous() async throws {
        let photograph = try Pictures.bitmap(side: 16).encoded(as: .jpeg(quality: 90))
        let head = try ImageHead(reading: MemoryByteSource(photograph))
        let manager = ImageManager.undisturbed { $0.workerCount = 1 }
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            let group = DispatchGroup()
            for number in 0..<64 {
                DispatchQueue.global(qos: .userInitiated).async(group: group) { [log] in
                    let asset = Asset(
                        identifier: AssetIdentifier(high: 2, low: UInt64(number)), head: head,
                        resource: .provider(ElsewhereProvider(identifier: "\(number)", contents: photograph)),
                        fileSize: photograph.count, originalFilename: "\(number).jpg")
                    log.handler(number)(
                        manager.requestImageSynchronously(
                            for: asset, targetSize: .small,
                            options: ImageRequestOptions { $0.isNetworkAccessAllowed = true }))
                }
            }
            group.notify(queue: DispatchQueue(label: "end")) { end.resume() }
        }
        #expect((0..<64).allSatisfy { log.entries($0) == [.final(side: 16)] })
    }
}

/// A provider that claims to need a network, and whose bytes are read as soon as it is opened.
private struct ElsewhereProvider: ResourceProvider {
    let identifier: String
    let contents: [UInt8]
    let requiresNetwork = true

    func open() -> any ByteSource { MemoryByteSource(contents) }
}
