import Dispatch
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks
import ThumbwheelReplay

extension MicroBenchmark {
    private static let queueLength = 10_000
    private static let requestCount = 1000
    private static let entryCount = 4096
    private static let targetSize = PixelSize(width: 256, height: 256)

    /// The scheduler with its one worker busy and a long queue.
    static var scheduling: [MicroBenchmark] {
        [
            MicroBenchmark("scheduler.submitCancel", operations: requestCount) {
                let queue = JobQueue()
                let urgencies = urgencies(count: queueLength)
                for urgency in urgencies { queue.add(.prefetch, urgency: urgency) }
                return {
                    for urgency in urgencies.prefix(requestCount) {
                        queue.remove(queue.add(.userInitiated, urgency: urgency))
                    }
                    return queue
                }
            },
            MicroBenchmark("scheduler.raiseLower", operations: requestCount) {
                let queue = JobQueue()
                let urgencies = urgencies(count: queueLength)
                let jobs = urgencies.map { queue.add(.prefetch, urgency: $0) }.prefix(requestCount)
                return {
                    for (job, urgency) in zip(jobs, urgencies) { queue.raise(job, urgency: urgency) }
                    for (job, urgency) in zip(jobs, urgencies) { queue.lower(job, urgency: urgency) }
                    return queue
                }
            },
        ]
    }

    static var caching: [MicroBenchmark] {
        [
            MicroBenchmark("cache.hit", operations: entryCount) {
                let keys = RenditionKey.samples(count: entryCount)
                let cache = Mutex(filledCache(keys))
                return {
                    for key in keys { Stopwatch.consume(cache.withLock { $0.value(forKey: key) }) }
                    return cache.withLock { $0.count }
                }
            },
            MicroBenchmark("cache.insert", operations: entryCount, memory: .held) {
                let keys = RenditionKey.samples(count: entryCount)
                return { filledCache(keys) }
            },
        ]
    }

    /// The image manager as a host calls it, without a render.
    static var requests: [MicroBenchmark] {
        [
            MicroBenchmark("manager.cachedRequest", operations: requestCount) {
                let assets = pictures()
                let manager = manager(BlankRenderer())
                let rendered = DispatchSemaphore(value: 0)
                for asset in assets {
                    manager.requestImage(for: asset, targetSize: targetSize, options: options) { _ in rendered.signal()
                    }
                    rendered.wait()
                }
                return {
                    for asset in assets { request(asset, from: manager) }
                    return manager
                }
            },
            MicroBenchmark("manager.queuedRequest", operations: requestCount) {
                let assets = pictures()
                // The worker stays in its first render until the process ends.
                let isBusy = DispatchSemaphore(value: 0)
                let manager = manager(
                    BlankRenderer {
                        isBusy.signal()
                        DispatchSemaphore(value: 0).wait()
                    })
                manager.requestImage(for: assets[0], targetSize: .maximum, options: options) { _ in }
                isBusy.wait()
                return {
                    let requests = assets.map { request($0, from: manager) }
                    for request in requests { manager.cancelImageRequest(request) }
                    return manager
                }
            },
            MicroBenchmark("replay.second") {
                let replay = CountedReplay(.brisk, seconds: 1)
                return { replay.run() }
            },
        ]
    }

    private static func urgencies(count: Int) -> [Double] {
        var random = SeededGenerator(seed: 1)
        return (0..<count).map { _ in Double(random.index(below: 1000)) }
    }

    private static func filledCache(_ keys: [RenditionKey]) -> LRUCache<RenditionKey, Int> {
        var cache = LRUCache<RenditionKey, Int>()
        for (number, key) in keys.enumerated() {
            _ = cache.insert(number, forKey: key, byteCount: 1, into: .loose, at: .hot)
        }
        return cache
    }

    private static func pictures() -> [Asset] {
        Array(
            SyntheticLibrary(count: 2 * requestCount, seed: 1).assets().lazy.filter { $0.mediaType == .image }
                .prefix(requestCount))
    }

    private static var options: ImageRequestOptions {
        var options = ImageRequestOptions { $0.deliveryMode = .highQuality }
        options.allowsImmediateDelivery = true
        return options
    }

    /// As a cell asks: the handler looks whether the image is of the asset that the cell shows.
    @discardableResult
    private static func request(_ asset: Asset, from manager: ImageManager) -> ImageRequestID {
        let identifier = asset.identifier
        return manager.requestImage(for: asset, targetSize: targetSize, options: options) { result in
            if case .final(let bitmap, let info) = result, info.asset == identifier { Stopwatch.consume(bitmap) }
        }
    }

    private static func manager(_ renderer: BlankRenderer) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 30
                $0.executor = .inline
                $0.watchesMemory = false
            },
            renderer: renderer, recordsRenders: false)
    }
}
