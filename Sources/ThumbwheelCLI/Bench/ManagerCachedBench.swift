import Dispatch
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

import struct Synchronization.Atomic

/// Requests that the cache answers, beside a dictionary behind a lock.
struct ManagerCachedBench {
    private let options: BenchOptions

    init(_ options: BenchOptions) {
        self.options = options
    }

    private static let assetCount = 1000
    private static let requestCount = 200_000
    private static let size = PixelSize(width: 256, height: 256)

    func rows() throws -> [BenchRow] {
        let library = try SyntheticLibrary(count: 2 * Self.assetCount, seed: options.seed).library(albumCount: 1)
            .library
        let assets = library.fetchAssets(with: .image).prefix(Self.assetCount)
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 30
                $0.executor = .inline
            },
            renderer: BlankRenderer(), recordsRenders: false)
        var request = ImageRequestOptions { $0.deliveryMode = .highQuality }
        request.allowsImmediateDelivery = true
        let rendered = DispatchSemaphore(value: 0)
        for asset in assets {
            manager.requestImage(for: asset, targetSize: Self.size, options: request) { _ in rendered.signal() }
            rendered.wait()
        }
        var random = SeededGenerator(seed: options.seed)
        let order = (0..<Self.requestCount).map { _ in random.index(below: assets.count) }
        let wanted = order.map { assets[$0] }
        let subject = CachedRequests(manager: manager, options: request, size: Self.size, assets: wanted)
        let peer = DictionaryRequests(assets: Array(assets), order: order, size: Self.size)
        guard subject.run() == wanted.count, peer.run() == wanted.count else {
            throw BenchError("a request found nothing in the cache")
        }
        let times = Stopwatch.interleaved(rounds: options.rounds) {
            Stopwatch.consume(subject.run())
        } _: {
            Stopwatch.consume(peer.run())
        }
        var rows = [
            BenchRow(
                "manager.cachedRequest", unit: "nanoseconds",
                rounds: Stopwatch.nanosecondsEach(times.one, of: wanted.count), operations: wanted.count,
                peer: "Dictionary behind the same lock",
                peerRounds: Stopwatch.nanosecondsEach(times.other, of: wanted.count))
        ]
        // Two threads that did not hinder one another would take half the time of one for each request.
        var processor: (both: [Double], one: [Double]) = ([], [])
        let together = Stopwatch.interleaved(rounds: options.rounds) {
            let before = ProcessUsage.current.cpuSeconds
            DispatchQueue.concurrentPerform(iterations: 2) { _ in Stopwatch.consume(subject.run()) }
            processor.both.append(1000 * (ProcessUsage.current.cpuSeconds - before))
        } _: {
            let before = ProcessUsage.current.cpuSeconds
            Stopwatch.consume(subject.run())
            processor.one.append(1000 * (ProcessUsage.current.cpuSeconds - before))
        }
        rows.append(
            BenchRow(
                "manager.cachedRequest.2threads", unit: "nanoseconds",
                rounds: Stopwatch.nanosecondsEach(together.one, of: 2 * wanted.count), operations: 2 * wanted.count,
                peer: "the same on one thread",
                peerRounds: Stopwatch.nanosecondsEach(together.other, of: wanted.count)))
        // On a busy machine two threads may have to take turns. What they hinder one another shows in processor time then.
        rows.append(
            BenchRow(
                "manager.cachedRequest.2threads.processor", unit: "nanoseconds of processor time",
                rounds: Stopwatch.nanosecondsEach(processor.both, of: 2 * wanted.count), operations: 2 * wanted.count,
                peer: "the same on one thread",
                peerRounds: Stopwatch.nanosecondsEach(processor.one, of: wanted.count)))
        func perSecond(_ milliseconds: [Double], of count: Int) -> [Double] {
            milliseconds.map { Double(count) * 1000 / $0 }
        }
        rows.append(
            BenchRow(
                "manager.cachedRequestsPerSecond", unit: "hits a second, two threads",
                rounds: perSecond(together.one, of: 2 * wanted.count), operations: 2 * wanted.count,
                peer: "one thread", peerRounds: perSecond(together.other, of: wanted.count)))
        if AllocationCount.ofThisThread() != nil {
            let counts = (0..<options.rounds).compactMap { _ -> Double? in
                guard let before = AllocationCount.ofThisThread() else { return nil }
                Stopwatch.consume(subject.run())
                guard let after = AllocationCount.ofThisThread() else { return nil }
                return Double(after - before) / Double(wanted.count)
            }
            rows.append(
                BenchRow(
                    "manager.allocationsPerCachedRequest", unit: "allocations", rounds: counts, operations: wanted.count
                ))
        }
        return rows
    }
}

/// Cached requests as a cell makes them: the handler looks whether the image is of the asset that the cell shows.
private struct CachedRequests: Sendable {
    let manager: ImageManager
    let options: ImageRequestOptions
    let size: PixelSize
    let assets: [Asset]

    /// - Returns: how many were answered before they returned.
    func run() -> Int {
        let cell = Cell()
        for asset in assets {
            let identifier = asset.identifier
            manager.requestImage(for: asset, targetSize: size, options: options) { result in
                if case .final(let bitmap, let info) = result, info.asset == identifier { cell.show(bitmap) }
            }
        }
        return cell.shownCount
    }
}

/// What a plain cache does: a dictionary behind a lock. It has its keys, as many as there are assets, ready made, and like
/// the manager an image of its own for each of them.
private final class DictionaryRequests {
    private let images: Mutex<[RenditionKey: Bitmap]>
    private let keys: [RenditionKey]
    private let order: [Int]

    /// - Parameter order: which of the assets are asked for, one after another.
    init(assets: [Asset], order: [Int], size: PixelSize) {
        keys = assets.map { asset in
            RenditionKey(
                subject: RenditionKey.Subject(asset: asset.identifier, picture: asset.pictureVersion()),
                kind: .high, options: RenderOptions(targetSize: size))
        }
        images = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, Bitmap.blank) }))
        self.order = order
    }

    func run() -> Int {
        let cell = Cell()
        for number in order {
            if let bitmap = images.withLock({ $0[keys[number]] }) { cell.show(bitmap) }
        }
        return cell.shownCount
    }
}

/// Counts what it is shown.
private final class Cell: Sendable {
    private let count = Atomic(0)

    var shownCount: Int { count.load(ordering: .relaxed) }

    @inline(never)
    func show(_ bitmap: Bitmap) {
        count.store(shownCount + (bitmap.byteCount > 0 ? 1 : 0), ordering: .relaxed)
    }
}
