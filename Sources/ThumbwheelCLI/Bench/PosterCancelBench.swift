import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// How long it takes, after the only request for a poster was cancelled at any point of its render, until the only
/// worker begins its next render. The decoder of the poster may still be running then.
struct PosterCancelBench {
    private let options: BenchOptions
    private let progress: ProgressLine
    private static let size = PixelSize(width: 256, height: 256)
    private static let cancelCount = 40

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    /// The values are 99th percentiles. The peer is a whole render.
    func rows() throws -> [BenchRow] { try options.videos.map(row) }

    private func row(_ video: Asset) throws -> BenchRow {
        let name = video.originalFilename
        progress.show("cancelling posters of \(name)")
        // Each request has an asset of its own: none may share what another has started. Every second asset stands for
        // the worker's next render, which makes nothing.
        var number: UInt64 = 0
        func asset() -> Asset {
            number += 1
            return video.copy(identifier: AssetIdentifier(high: 2, low: number))
        }
        let renderer = PosterRenderer()
        let manager = ImageManager.withOneWorker(renderer)
        var random = SeededGenerator(seed: options.seed)
        var wholes: [Double] = []
        for _ in 0..<3 {
            let poster = asset()
            renderer.setPoster(poster.identifier)
            _ = request(poster, of: manager)
            let start = renderer.starts.wait()
            wholes.append(renderer.ends.wait().milliseconds(since: start))
        }
        let whole = wholes.min() ?? 0
        var rounds: [Double] = []
        for _ in 0..<options.rounds {
            var times: [Double] = []
            for _ in 0..<Self.cancelCount {
                let poster = asset()
                renderer.setPoster(poster.identifier)
                let id = request(poster, of: manager)
                let start = renderer.starts.wait()
                _ = request(asset(), of: manager)
                Stopwatch.wait(random.value(in: 0.02...0.95) * whole, since: start)
                let cancellation = MonotonicTime.now
                manager.cancelImageRequest(id)
                let next = renderer.next.wait()
                _ = renderer.ends.wait()
                // One that had ended before was not stopped.
                if next > cancellation { times.append(next.milliseconds(since: cancellation)) }
            }
            rounds.append(Percentiles(of: times).p99)
        }
        return BenchRow(
            "video.poster cancel of \(name)", unit: "milliseconds", rounds: rounds, operations: Self.cancelCount,
            peer: "whole poster", peerRounds: wholes)
    }

    private func request(_ asset: Asset, of manager: ImageManager) -> ImageRequestID {
        manager.requestImage(
            for: asset, targetSize: Self.size, contentMode: .aspectFit,
            options: ImageRequestOptions { $0.deliveryMode = .highQuality }
        ) { _ in }
    }
}

/// The renderer of posters, with the times at which one begins and ends, and at which the render behind it begins.
private final class PosterRenderer: RenditionRenderer {
    private let renderer = AssetRenderer(limits: RenderLimits())
    private let poster = Mutex<AssetIdentifier?>(nil)
    let starts = NotedTimes()
    let ends = NotedTimes()
    let next = NotedTimes()

    func setPoster(_ identifier: AssetIdentifier) { poster.withLock { $0 = identifier } }

    func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
        guard assignment.work.asset.identifier == poster.withLock({ $0 }) else {
            next.note(.now)
            return .failed(.unsupportedMedia)
        }
        starts.note(.now)
        let outcome = renderer.render(assignment, with: assistants)
        ends.note(.now)
        return outcome
    }
}

/// Times that one thread notes and another one waits for.
private final class NotedTimes: Sendable {
    private let times = Mutex<[MonotonicTime]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func note(_ time: MonotonicTime) {
        times.withLock { $0.append(time) }
        arrival.signal()
    }

    func wait() -> MonotonicTime {
        arrival.wait()
        return times.withLock { $0.removeFirst() }
    }
}
