import Dispatch
import Thumbwheel

/// The same renders by two workers and by one.
struct ManagerWorkersBench {
    private let options: BenchOptions
    private let assets: [Asset]

    init(_ options: BenchOptions, _ pictures: BenchPictures) {
        self.options = options
        assets = pictures.small.assets(count: 100)
    }

    func row() throws -> BenchRow {
        let two = makeManager(workerCount: 2)
        let one = makeManager(workerCount: 1)
        render(by: two)
        render(by: one)
        let times = Stopwatch.interleaved(rounds: options.rounds * 3) {
            render(by: two)
        } _: {
            render(by: one)
        }
        func each(_ times: [Double]) -> [Double] { times.map { $0 / Double(assets.count) } }
        return BenchRow(
            "manager.twoWorkers", unit: "milliseconds", rounds: each(times.one), operations: assets.count,
            peer: "one worker", peerRounds: each(times.other))
    }

    private func makeManager(workerCount: Int) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = workerCount
                $0.keepsRenditions = false
                $0.executor = .inline
            }, recordsRenders: false)
    }

    private func render(by manager: ImageManager) {
        let done = DispatchSemaphore(value: 0)
        for asset in assets {
            manager.requestImage(
                for: asset, targetSize: PixelSize(width: 256, height: 256), contentMode: .aspectFill,
                options: ImageRequestOptions {
                    $0.deliveryMode = .highQuality
                    $0.resizeMode = .exact
                }
            ) { _ in done.signal() }
        }
        for _ in assets { done.wait() }
    }
}
