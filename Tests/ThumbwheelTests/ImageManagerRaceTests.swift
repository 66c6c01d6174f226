import Dispatch
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

import struct Synchronization.Atomic

/// Threads against one manager: every request must end exactly once, whatever races.
@Suite(.endsHangs) struct ImageManagerRaceTests {
    private static let threadCount = 8

    @Test(
        "eight threads that submit, cancel, move, prepare and re-enter get one end for each request", arguments: 0..<6)
    func stress(seed: UInt64) async {
        // Given
        let crowd = Crowd(seed: seed, memoryBudget: seed.isMultiple(of: 2) ? 1 << 30 : 6 << 20)
        let manager = crowd.makeManager()
        // When
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            crowd.run(thread: thread) { _ in manager }
        }
        await crowd.waitForAll()
        // Then
        #expect(crowd.log.violations == [], "seed \(seed)")
        let requests = manager.statistics.requests
        #expect(requests.submitted == crowd.submittedCount, "seed \(seed)")
        #expect(requests.delivered + requests.cancelled + requests.failed == crowd.submittedCount, "seed \(seed)")
        #expect(manager.statistics.liveRequestCount == 0, "seed \(seed)")
        _ = manager.pipeline.shutDownAndWait()
        #expect(crowd.renderer.runningCount == 0, "seed \(seed)")
        #expect(manager.pipeline.read { $0.brokenInvariant } == nil, "seed \(seed)")
        let statistics = manager.statistics
        #expect(statistics.queuedRenderCount + statistics.runningRenderCount == 0, "seed \(seed)")
        #expect(statistics.budgetUsedByteCount == statistics.cachedByteCount, "seed \(seed)")
    }

    @Test("a manager torn down under its threads ends every request once", arguments: 10..<16)
    func teardown(seed: UInt64) async {
        // Given
        let crowd = Crowd(seed: seed, memoryBudget: 1 << 30)
        // When
        let pipeline = Self.tearDown(under: crowd)
        await crowd.waitForAll()
        // Then
        #expect(crowd.log.violations == [], "seed \(seed)")
        _ = pipeline.shutDownAndWait()
        #expect(crowd.log.endedCount == crowd.submittedCount, "seed \(seed)")
        #expect(crowd.renderer.runningCount == 0, "seed \(seed)")
        #expect(pipeline.read { $0.statistics.liveRequestCount } == 0, "seed \(seed)")
    }

    @Test("what lives when the manager is torn down ends as cancelled", arguments: 20..<26)
    func teardownCancels(seed: UInt64) async {
        // Given: no render ends by itself, so whatever is not cancelled before lives when the manager goes.
        let crowd = Crowd(seed: seed, memoryBudget: 1 << 30)
        crowd.renderer.suspend()
        // When
        let pipeline = Self.tearDown(under: crowd)
        await crowd.waitForAll()
        // Then
        #expect(crowd.log.violations == [], "seed \(seed)")
        #expect(crowd.log.endedCount == crowd.submittedCount, "seed \(seed)")
        #expect(crowd.log.terminals.allSatisfy { $0 == .cancelled }, "seed \(seed)")
        _ = pipeline.shutDownAndWait()
        #expect(crowd.renderer.runningCount == 0, "seed \(seed)")
    }

    @Test(
        "a manager shut down under its threads ends every request once, those that come later included",
        arguments: 30..<36)
    func shutdown(seed: UInt64) async {
        // Given
        let crowd = Crowd(seed: seed, memoryBudget: 1 << 30)
        let manager = crowd.makeManager()
        let isDown = Mutex<Task<Void, Never>?>(nil)
        // When
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            crowd.run(thread: thread) { step in
                if thread == 0, step == Crowd.stepCount / 2 {
                    isDown.withLock { $0 = Task { await manager.shutdown(graceful: seed.isMultiple(of: 2)) } }
                }
                return manager
            }
        }
        await isDown.withLock { $0! }.value
        // Then
        #expect(crowd.renderer.runningCount == 0, "seed \(seed)")
        await crowd.waitForAll()
        #expect(crowd.log.violations == [], "seed \(seed)")
        #expect(crowd.log.endedCount == crowd.submittedCount, "seed \(seed)")
        #expect(manager.pipeline.read { $0.brokenInvariant } == nil, "seed \(seed)")
        let statistics = manager.statistics
        #expect(statistics.requests.submitted == crowd.submittedCount, "seed \(seed)")
        #expect(statistics.liveRequestCount + statistics.runningRenderCount == 0, "seed \(seed)")
    }

    /// The threads share the only reference to a manager, which one of them drops half-way. Handlers find the manager by weak
    /// references, so the last one may go inside of a handler.
    ///
    /// - Returns: the pipeline, which may still be at work.
    private static func tearDown(under crowd: Crowd) -> ImagePipeline {
        let shared = Mutex<ImageManager?>(crowd.makeManager())
        let pipeline = shared.withLock { $0!.pipeline }
        DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
            crowd.run(thread: thread) { step in
                if thread == 0, step == Crowd.stepCount / 2 { drop(shared) }
                return shared.withLock { $0 }
            }
        }
        return pipeline
    }

    /// Lets go of the manager outside of the lock: its deinitializer ends requests, whose handlers may ask for it.
    private static func drop(_ shared: borrowing Mutex<ImageManager?>) {
        let last = shared.withLock { manager in
            defer { manager = nil }
            return manager
        }
        withExtendedLifetime(last) {}
    }
}

/// What many threads do to a manager, at random, and how each of their requests ended.
private final class Crowd: Sendable {
    static let stepCount = 250

    let log = ResultLog()
    let renderer: SuspendableRenderer
    private let seed: UInt64
    private let memoryBudget: Int
    private let lastNumber = Atomic(0)
    private let lastIdentifier = Atomic<UInt64>(0)

    init(seed: UInt64, memoryBudget: Int) {
        self.seed = seed
        self.memoryBudget = memoryBudget
        renderer = SuspendableRenderer { key in
            // A broken photograph among the others.
            key.subject.asset.low == 3
                ? .failure(.rendering(.truncated(decodedFraction: 0))) : SuspendableRenderer.blankImage(key)
        }
    }

    var submittedCount: Int { lastNumber.load(ordering: .sequentiallyConsistent) }

    func makeManager() -> ImageManager {
        ImageManager(
            renderer, workers: 1 + Int(seed % 4), memoryBudget: memoryBudget,
            executor: seed.isMultiple(of: 3) ? .inline : .concurrent)
    }

    /// - Parameter manager: the manager to use in a step; nil where there is none any more.
    func run(thread: Int, on manager: (Int) -> ImageManager?) {
        var random = SeededGenerator(seed: seed << 8 | UInt64(thread))
        let token = CancellationToken()
        var caching: CachingImageManager?
        for step in 0..<Self.stepCount {
            guard let manager = manager(step) else { break }
            switch random.index(below: 20) {
            case ..<11: submit(to: manager, token: token, &random)
            case ..<15: manager.cancelImageRequest(someIdentifier(&random))
            case 15: manager.setPriority(somePriority(&random), urgency: random.unit(), of: someIdentifier(&random))
            case 16:
                caching = caching ?? CachingImageManager(manager)
                caching!.startCachingImages(for: someAssets(&random), targetSize: .small)
            case 17: caching?.stopCachingImages(for: someAssets(&random), targetSize: .small)
            case 18:
                caching?.allowsCachingHighQualityImages.toggle()
                if random.index(below: 4) == 0 { caching = nil }
            default: if random.index(below: 20) == 0 { token.cancel() }
            }
            // The last reference to the manager may be this one.
            if random.index(below: 10) == 0 { caching = nil }
        }
    }

    /// Returns when all requests have ended, those included that handlers submitted.
    func waitForAll() async {
        var count = -1
        while count != submittedCount {
            count = submittedCount
            await log.waitForEnds(count)
        }
    }

    private func submit(to manager: ImageManager, token: CancellationToken, _ random: inout SeededGenerator) {
        let number = lastNumber.add(1, ordering: .sequentiallyConsistent).newValue
        var options = ImageRequestOptions {
            $0.deliveryMode = DeliveryMode.allCases[random.index(below: 3)]
            $0.priority = somePriority(&random)
            $0.urgency = Double(random.index(below: 4))
            $0.allowsImmediateDelivery = random.index(below: 2) == 0
        }
        if random.index(below: 3) == 0 { options.executor = .inline }
        if random.index(below: 3) == 0 { options.cancellationToken = token }
        let reenters = random.index(below: 4) == 0
        let innerSeed = random.next()
        let note = log.handler(number)
        let id = manager.requestImage(
            for: Pictures.asset(random.index(below: 8), hasPreview: true), targetSize: .small, options: options
        ) { [weak manager] result in
            if reenters, result.isTerminal, let manager {
                var random = SeededGenerator(seed: innerSeed)
                manager.cancelImageRequest(self.someIdentifier(&random))
                // Handlers of handlers: one in four goes on.
                self.submit(to: manager, token: token, &random)
            }
            // Last: who waits for all ends must know by then of the requests that this one has led to.
            note(result)
        }
        lastIdentifier.store(id.rawValue, ordering: .relaxed)
    }

    private func someIdentifier(_ random: inout SeededGenerator) -> ImageRequestID {
        let last = lastIdentifier.load(ordering: .relaxed)
        return ImageRequestID(rawValue: last &- UInt64(random.index(below: 12)))
    }

    private func somePriority(_ random: inout SeededGenerator) -> RequestPriority {
        RequestPriority.allCases[random.index(below: 3)]
    }

    private func someAssets(_ random: inout SeededGenerator) -> [Asset] {
        let first = random.index(below: 8)
        return (first..<first + 4).map { Pictures.asset($0, hasPreview: true) }
    }
}
