import Dispatch
import Thumbwheel
import ThumbwheelReplay

/// Requests that the cache answers, beside a dictionary behind a lock, on one thread and on two.
struct ManagerCachedBench {
    private let options: BenchOptions

    init(_ options: BenchOptions) {
        self.options = options
    }

    private static let assetCount = 1000
    private static let requestCount = 200_000
    private static let size = PixelSize(width: 256, height: 256)

    func rows() throws -> [BenchRow] {
        let library = try SyntheticLibrary(count: 4 * Self.assetCount, seed: options.seed).library(albumCount: 1)
            .library
        let pictures = library.fetchAssets(with: .image)
        // The assets of two threads lie so far apart in the library that its storage shares nothing between them.
        let portions = [Array(pictures.prefix(Self.assetCount)), Array(pictures.suffix(Self.assetCount))]
        let request = ImageRequestOptions {
            $0.deliveryMode = .highQuality
            $0.allowsImmediateDelivery = true
        }
        let manager = Self.manager(havingMade: portions.joined(), with: request)
        var random = SeededGenerator(seed: options.seed)
        let order = (0..<Self.requestCount).map { _ in random.index(below: Self.assetCount) }
        let requests = portions.map { assets in
            CachedRequests(manager: manager, options: request, size: Self.size, assets: order.map { assets[$0] })
        }
        let dictionaries = portions.map { DictionaryRequests(assets: $0, order: order, size: Self.size) }
        let counts = requests.map { $0.run() } + dictionaries.map { $0.run() }
        guard counts.allSatisfy({ $0 == order.count }) else {
            throw BenchError("a request found nothing in the cache")
        }
        return [singleThread(requests[0], dictionaries[0])]
            + TwoThreadsBench(rounds: options.rounds, requestCount: order.count)
            .rows(requests: requests, dictionaries: dictionaries) + allocations(requests[0])
    }

    /// Makes a manager whose cache has the images of all the assets.
    private static func manager(havingMade assets: some Sequence<Asset>, with request: ImageRequestOptions)
        -> ImageManager
    {
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 30
                $0.executor = .inline
            },
            renderer: BlankRenderer(), recordsRenders: false)
        let rendered = DispatchSemaphore(value: 0)
        for asset in assets {
            manager.requestImage(for: asset, targetSize: size, options: request) { _ in rendered.signal() }
            rendered.wait()
        }
        return manager
    }

    private func singleThread(_ requests: CachedRequests, _ dictionary: DictionaryRequests) -> BenchRow {
        let times = Stopwatch.interleaved(rounds: options.rounds) {
            Stopwatch.consume(requests.run())
        } _: {
            Stopwatch.consume(dictionary.run())
        }
        let count = Self.requestCount
        return BenchRow(
            "manager.cachedRequest", unit: "nanoseconds", rounds: Stopwatch.nanosecondsEach(times.one, of: count),
            operations: count, peer: "Dictionary behind the same lock",
            peerRounds: Stopwatch.nanosecondsEach(times.other, of: count))
    }

    /// - Returns: the allocations of a request; nothing if this process cannot count them.
    private func allocations(_ requests: CachedRequests) -> [BenchRow] {
        guard AllocationCount.ofThisThread() != nil else { return [] }
        let counts = (0..<options.rounds).compactMap { _ -> Double? in
            guard let before = AllocationCount.ofThisThread() else { return nil }
            Stopwatch.consume(requests.run())
            guard let after = AllocationCount.ofThisThread() else { return nil }
            return Double(after - before) / Double(Self.requestCount)
        }
        return [
            BenchRow(
                "manager.allocationsPerCachedRequest", unit: "allocations", rounds: counts,
                operations: Self.requestCount)
        ]
    }
}
