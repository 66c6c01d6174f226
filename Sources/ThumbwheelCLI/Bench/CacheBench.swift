import Foundation
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks

/// Hits of the cache behind a lock, beside `NSCache`, from one thread and from two.
struct CacheBench {
    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    private static let entryCount = 4096
    private static let hitCount = 200_000

    func rows() throws -> [BenchRow] {
        progress.show("cache: hits")
        let ours = OwnCache(count: Self.entryCount)
        let peer = FoundationCache(count: Self.entryCount)
        return [1, 2].map { threadCount in
            let times = Stopwatch.interleaved(rounds: options.rounds) {
                onThreads(threadCount) { ours.hit($0) }
            } _: {
                onThreads(threadCount) { peer.hit($0) }
            }
            let count = Self.hitCount * threadCount
            return BenchRow(
                threadCount == 1 ? "cache.hit" : "cache.hit.\(threadCount)threads", unit: "nanoseconds",
                rounds: Stopwatch.nanosecondsEach(times.one, of: count), operations: count, peer: "NSCache",
                peerRounds: Stopwatch.nanosecondsEach(times.other, of: count))
        }
    }

    /// Looks up entries in a random order of its own on each thread.
    private func onThreads(_ threadCount: Int, _ hit: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: threadCount) { [seed = options.seed] thread in
            var random = SeededGenerator(seed: seed &+ UInt64(thread))
            for _ in 0..<Self.hitCount { hit(random.index(below: Self.entryCount)) }
        }
    }
}

private final class OwnCache: Sendable {
    private let keys: [RenditionKey]
    private let cache: Mutex<LRUCache<RenditionKey, Bitmap>>

    init(count: Int) {
        let keys = RenditionKey.samples(count: count)
        var cache = LRUCache<RenditionKey, Bitmap>()
        let bitmap = Bitmap.blank
        for key in keys {
            _ = cache.insert(bitmap, forKey: key, byteCount: bitmap.byteCount, into: .loose, at: .hot)
        }
        self.keys = keys
        self.cache = Mutex(cache)
    }

    func hit(_ index: Int) {
        Stopwatch.consume(cache.withLock { $0.value(forKey: keys[index]) })
    }
}

/// `NSCache` is safe to share (its documentation); the keys are only read.
private final class FoundationCache: @unchecked Sendable {
    private let keys: [NSString]
    private let cache = NSCache<NSString, Bitmap>()

    init(count: Int) {
        keys = (0..<count).map { "IMG_\($0)-256x256" as NSString }
        let bitmap = Bitmap.blank
        for key in keys { cache.setObject(bitmap, forKey: key) }
    }

    func hit(_ index: Int) {
        Stopwatch.consume(cache.object(forKey: keys[index]))
    }
}

extension RenditionKey {
    /// Keys of as many assets at one size.
    static func samples(count: Int) -> [RenditionKey] {
        (0..<count).map { number in
            RenditionKey(
                subject: Subject(
                    asset: AssetIdentifier(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number)),
                    contentVersion: 1),
                kind: .high, options: RenderOptions(targetSize: PixelSize(width: 256, height: 256)))
        }
    }
}

extension Bitmap {
    /// Pixels for where only their being there counts.
    static var blank: Bitmap { Bitmap(size: PixelSize(width: 16, height: 16), format: .rgb) { _ in } }
}
