import Thumbwheel
import ThumbwheelReplay

/// Asks for every image of a set of photographs, a few at a time, and counts where they came from.
struct Warming {
    let manager: ImageManager
    let options: WarmCommand.Options
    let names: GivenPaths
    let progress: ProgressLine
    let start: MonotonicTime
    private(set) var made = 0
    private(set) var kept = 0
    private(set) var failed: [WarmDocument.Failure] = []

    init(
        manager: ImageManager, options: WarmCommand.Options, names: GivenPaths, progress: ProgressLine,
        start: MonotonicTime
    ) {
        (self.manager, self.options, self.names, self.progress, self.start) = (manager, options, names, progress, start)
    }

    /// One image, and what came of it.
    private struct Outcome: Sendable {
        let asset: Asset
        let size: PixelSize
        let result: Result<Bool, ImageRequestError>
    }

    mutating func run(_ assets: [Asset]) async {
        let orders = assets.flatMap { asset in options.sizes.map { (asset, $0) } }
        await withTaskGroup(of: Outcome.self) { group in
            var next = 0
            // Twice as many as there are workers, so that none of them waits for the next order.
            while next < min(orders.count, options.workers * 2) {
                add(orders[next], to: &group)
                next += 1
            }
            while let outcome = await group.next() {
                note(outcome, of: orders.count)
                guard next < orders.count else { continue }
                add(orders[next], to: &group)
                next += 1
            }
        }
    }

    private func add(_ order: (Asset, PixelSize), to group: inout TaskGroup<Outcome>) {
        group.addTask { [manager, options] in
            let (asset, size) = order
            return Outcome(asset: asset, size: size, result: await Self.isFromStore(asset, size, options, manager))
        }
    }

    private static func isFromStore(
        _ asset: Asset, _ size: PixelSize, _ options: WarmCommand.Options, _ manager: ImageManager
    ) async -> Result<Bool, ImageRequestError> {
        let request = ImageRequestOptions {
            $0.deliveryMode = options.delivery
            $0.resizeMode = .exact
            $0.priority = .background
        }
        return await withCheckedContinuation { continuation in
            if let encoding = options.encoding.encoding(quality: options.quality) {
                manager.requestImageData(
                    for: asset, targetSize: size, contentMode: options.content, encoding: encoding, options: request
                ) { result in
                    switch result {
                    case .final(_, let info): continuation.resume(returning: .success(info.isFromStore))
                    case .failed(let error, _): continuation.resume(returning: .failure(error))
                    case .cancelled: continuation.resume(returning: .failure(.cancelled))
                    }
                }
            } else {
                manager.requestImage(
                    for: asset, targetSize: size, contentMode: options.content, options: request
                ) { result in
                    switch result {
                    case .degraded: break
                    case .final(_, let info): continuation.resume(returning: .success(info.isFromStore))
                    case .failed(let error, _): continuation.resume(returning: .failure(error))
                    case .cancelled: continuation.resume(returning: .failure(.cancelled))
                    }
                }
            }
        }
    }

    private mutating func note(_ outcome: Outcome, of count: Int) {
        switch outcome.result {
        case .success(true): kept += 1
        case .success(false): made += 1
        case .failure(let error):
            failed.append(
                WarmDocument.Failure(
                    file: names.text(of: outcome.asset), size: outcome.size.description, code: error.name))
        }
        let done = made + kept + failed.count
        let seconds = MonotonicTime.now.milliseconds(since: start) / 1_000
        let left = Int(seconds / Double(done) * Double(count - done))
        progress.show("\(done) of \(count) images, \(Int(Double(done) / max(seconds, 0.001))) a second, \(left) s left")
    }
}
