import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelReplay

/// How long a worker goes on after the only request for its render was cancelled, at any point of the decode.
struct ManagerCancelBench {
    private let options: BenchOptions
    private let picture: BenchPicture
    private let isolation: RenderIsolation?

    /// - Parameter isolation: the decoder processes that are cancelled; nil for decodes in this process.
    init(_ options: BenchOptions, _ picture: BenchPicture, isolation: RenderIsolation? = nil) {
        self.options = options
        self.isolation = isolation
        self.picture = picture
    }

    static let options = RenderOptions(targetSize: PixelSize(width: 1024, height: 1024))
    private static let cancelCount = 40

    /// The values are 99th percentiles, of the time and of the worker's own processor time: where others use the cores, only
    /// the latter tells of the decoder. The peer is a whole render, which is what a decoder takes that cannot be stopped.
    func rows() throws -> [BenchRow] {
        let renderer = WatchedRenderer(isolation)
        let group = isolation == nil ? "manager" : "isolation"
        let manager = ImageManager.withOneWorker(renderer)
        var random = SeededGenerator(seed: options.seed)
        // Each request has an asset of its own: none may share what another has started.
        var assets = picture.assets(count: 3 + options.rounds * Self.cancelCount * 2)
        var wholes: [Double] = []
        for _ in 0..<3 {
            _ = request(assets.removeLast(), of: manager)
            let start = renderer.waitForStart()
            wholes.append(renderer.waitForEnd().milliseconds(since: start))
        }
        let whole = wholes.min() ?? 0
        var rounds: (wall: [Double], processor: [Double]) = ([], [])
        for _ in 0..<options.rounds {
            var times: [Double] = []
            var processorTimes: [Double] = []
            while times.count < Self.cancelCount, let asset = assets.popLast() {
                let id = request(asset, of: manager)
                let start = renderer.waitForStart()
                Stopwatch.wait(random.value(in: 0.02...0.95) * whole, since: start)
                let cancellation = MonotonicTime.now
                let processorTime = renderer.processorMilliseconds
                manager.cancelImageRequest(id)
                let end = renderer.waitForEnd()
                // One that had ended before was not stopped.
                guard end > cancellation else { continue }
                times.append(end.milliseconds(since: cancellation))
                if let processorTime { processorTimes.append(renderer.endProcessorMilliseconds - processorTime) }
            }
            rounds.wall.append(Percentiles(of: times).p99)
            if !processorTimes.isEmpty { rounds.processor.append(Percentiles(of: processorTimes).p99) }
        }
        guard rounds.wall.allSatisfy({ $0 > 0 }) else {
            throw BenchError("cancel.\(picture.name): renders end too soon")
        }
        var rows = [
            BenchRow(
                "\(group).cancel.\(picture.name)", unit: "milliseconds", rounds: rounds.wall,
                operations: Self.cancelCount, peer: "whole render", peerRounds: wholes)
        ]
        if !rounds.processor.isEmpty {
            rows.append(
                BenchRow(
                    "\(group).cancel.\(picture.name).processor", unit: "milliseconds", rounds: rounds.processor,
                    operations: Self.cancelCount))
        }
        return rows
    }

    private func request(_ asset: Asset, of manager: ImageManager) -> ImageRequestID {
        manager.requestImage(
            for: asset, targetSize: Self.options.targetSize, contentMode: Self.options.contentMode,
            options: ImageRequestOptions {
                $0.deliveryMode = .highQuality
                $0.resizeMode = Self.options.resizeMode
            }
        ) { _ in }
    }
}

/// The renderer of photographs, with the times at which a render begins and ends.
private final class WatchedRenderer: RenditionRenderer {
    private struct Times {
        var start = MonotonicTime.zero
        var end = MonotonicTime.zero
        var clock: ThreadClock?
        var endProcessorMilliseconds = 0.0
    }

    private let renderer: AssetRenderer
    private let times = Mutex(Times())
    private let started = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ isolation: RenderIsolation?) {
        renderer = AssetRenderer(limits: RenderLimits(), isolation: isolation)
    }

    func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
        let clock = ThreadClock()
        times.withLock {
            $0.start = .now
            $0.clock = clock
        }
        started.signal()
        let outcome = renderer.render(assignment, with: assistants)
        times.withLock {
            $0.end = .now
            $0.endProcessorMilliseconds = clock?.milliseconds ?? 0
        }
        ended.signal()
        return outcome
    }

    /// What the worker's thread has used; nil where the system does not tell other threads.
    var processorMilliseconds: Double? { times.withLock { $0.clock?.milliseconds } }
    var endProcessorMilliseconds: Double { times.withLock { $0.endProcessorMilliseconds } }

    func waitForStart() -> MonotonicTime {
        started.wait()
        return times.withLock { $0.start }
    }

    func waitForEnd() -> MonotonicTime {
        ended.wait()
        return times.withLock { $0.end }
    }
}

/// The processor time of the thread that makes it, for other threads to read while that one lives.
private struct ThreadClock {
    #if os(Linux)
    private let clock: clockid_t

    init?() {
        var clock = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { return nil }
        self.clock = clock
    }

    var milliseconds: Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    #else
    init?() { return nil }

    let milliseconds = 0.0
    #endif
}
