import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelReplay

/// Visible requests while ten thousand prefetches run and wait, beside the same on a manager that has nothing else to do.
struct ManagerPrefetchBench {
    private let options: BenchOptions
    private let prefetched: [Asset]
    private let visible: [Asset]

    init(_ options: BenchOptions, _ pictures: BenchPictures) {
        self.options = options
        prefetched = pictures.small.assets(count: 10_000)
        visible = (0..<Self.requestCount).map { number in
            pictures.small.asset.copy(identifier: AssetIdentifier(high: 2, low: UInt64(number)))
        }
    }

    private static let requestCount = 100
    private static let size = PixelSize(width: 64, height: 64)
    private static let requestOptions = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.resizeMode = .exact
    }

    func row() throws -> BenchRow {
        var times: (busy: [Double], idle: [Double]) = ([], [])
        for _ in 0..<options.rounds {
            times.idle.append(Percentiles(of: latencies(of: makeManager())).p99)
            let manager = makeManager()
            let window = CachingImageManager(manager)
            window.startCachingImages(
                for: prefetched, targetSize: Self.size, contentMode: .aspectFill, options: Self.requestOptions)
            // The last of them follow by themselves.
            while window.window.imageCount < prefetched.count { Thread.sleep(forTimeInterval: 0.001) }
            times.busy.append(Percentiles(of: latencies(of: manager)).p99)
            guard manager.statistics.queuedRenderCount > 0 else {
                throw BenchError("visibleUnderPrefetch: the prefetches were over before the requests")
            }
            window.stopCachingImagesForAllAssets()
        }
        return BenchRow(
            "manager.visibleUnderPrefetch", unit: "milliseconds", rounds: times.busy, operations: Self.requestCount,
            peer: "an idle manager", peerRounds: times.idle)
    }

    private func makeManager() -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.memoryBudget = 1 << 30
                $0.executor = .inline
            }, recordsRenders: false)
    }

    /// From each request to its final image, one after another.
    private func latencies(of manager: ImageManager) -> [Double] {
        let done = DispatchSemaphore(value: 0)
        return visible.map { asset in
            Stopwatch.milliseconds {
                manager.requestImage(
                    for: asset, targetSize: Self.size, contentMode: .aspectFill, options: Self.requestOptions
                ) { _ in done.signal() }
                done.wait()
            }.time
        }
    }
}
