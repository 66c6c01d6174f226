import Dispatch
import Thumbwheel
import ThumbwheelLocks

import struct Synchronization.Atomic

/// A thousand requests for one rendition, from the end of its render to the last handler.
struct ManagerCoalescingBench {
    private let options: BenchOptions

    init(_ options: BenchOptions) {
        self.options = options
    }

    private static let subscriberCount = 1000

    func row() throws -> BenchRow {
        let picture = SyntheticLibrary(count: 100, seed: options.seed).assets().first { $0.mediaType == .image }!
        var times: (ours: [Double], peer: [Double]) = ([], [])
        // Many short rounds: one of them lasts less than a scheduler's time slice.
        for _ in 0..<options.rounds * 10 {
            let round = try measure(picture)
            times.ours.append(round.ours)
            times.peer.append(round.peer)
        }
        return BenchRow(
            "manager.coalesce1000", unit: "nanoseconds",
            rounds: Stopwatch.nanosecondsEach(times.ours, of: Self.subscriberCount), operations: Self.subscriberCount,
            peer: "the handlers alone", peerRounds: Stopwatch.nanosecondsEach(times.peer, of: Self.subscriberCount))
    }

    private func measure(_ asset: Asset) throws -> (ours: Double, peer: Double) {
        let gate = DispatchSemaphore(value: 0)
        let end = Deliveries(expecting: Self.subscriberCount)
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.memoryBudget = 1 << 30
                $0.executor = .inline
            },
            renderer: BlankRenderer {
                gate.wait()
                end.start()
            }, recordsRenders: false)
        for _ in 0..<Self.subscriberCount {
            manager.requestImage(
                for: asset, targetSize: PixelSize(width: 256, height: 256),
                options: ImageRequestOptions { $0.deliveryMode = .highQuality }
            ) { _ in end.note() }
        }
        gate.signal()
        let ours = end.wait()
        guard manager.statistics.renders.started == 1 else { throw BenchError("coalesce1000: more than one render") }
        let handlers = (0..<Self.subscriberCount).map { _ -> @Sendable (ImageResult) -> Void in { _ in end.note() } }
        end.start()
        for handler in handlers { handler(.cancelled(ImageInfo(cancelled: asset))) }
        return (ours, end.wait())
    }
}

/// The time until as many handlers have run as are expected.
private final class Deliveries: Sendable {
    private let expected: Int
    private let count = Atomic(0)
    private let begin = Mutex(MonotonicTime.zero)
    private let finish = Mutex(MonotonicTime.zero)
    private let done = DispatchSemaphore(value: 0)

    init(expecting expected: Int) {
        self.expected = expected
    }

    func start() {
        count.store(0, ordering: .relaxed)
        begin.withLock { $0 = .now }
    }

    func note() {
        guard count.add(1, ordering: .relaxed).newValue == expected else { return }
        finish.withLock { $0 = .now }
        done.signal()
    }

    /// In milliseconds, after the last handler.
    func wait() -> Double {
        done.wait()
        return finish.withLock(\.self).milliseconds(since: begin.withLock(\.self))
    }
}
