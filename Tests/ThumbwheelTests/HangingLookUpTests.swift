import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import Thumbwheel

/// A store that does not answer its look-ups does not hold up the end of a manager.
@Suite(.endsHangs) struct HangingLookUpTests {
    /// A store that answers when a test says so.
    private final class HangingKeeper: RenditionKeeper {
        private struct State {
            var completions: [@Sendable (consuming LookUpOutcome) -> Void] = []
            var isClosed = false
        }

        private let state = Mutex(State())

        var lookUpCount: Int { state.withLock { $0.completions.count } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void) {
            state.withLock { $0.completions.append(completion) }
        }

        func keep(_ assignment: KeepAssignment) {}
        func close() { state.withLock { $0.isClosed = true } }

        /// Answers all look-ups.
        func answer() {
            for completion in state.withLock({ $0.completions }) { completion(.missing) }
        }
    }

    private struct NoFetcher: ResourceFetcher {
        func fetch(
            _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
            completion: @escaping @Sendable (FetchOutcome) -> Void
        ) {
            completion(.stopped)
        }
    }

    private let renderer = SuspendableRenderer()
    private let keeper = HangingKeeper()
    private let log = ResultLog()

    private func pipeline(in tier: StorageTier) -> ImagePipeline {
        ImagePipeline(
            configuration: PipelineState.Configuration(workerCount: 1, budget: 1 << 30), renderer: renderer,
            fetcher: NoFetcher(), keepers: [tier: keeper])
    }

    private func submit(_ count: Int, to pipeline: ImagePipeline) throws {
        let manager = ImageManager(renderer)
        for number in 0..<count {
            let request = try manager.pipelineRequest(
                for: ImageOrder(
                    asset: Pictures.asset(number), targetSize: .small, contentMode: .aspectFit,
                    options: ImageRequestOptions()),
                to: ResultReceiver(executor: .inline, handler: log.handler(number)))
            pipeline.apply { _ = $0.submit(request, at: $1) }
        }
    }

    @Test(
        "a pipeline that is shut down waits for look-ups until their time is over, and ignores what comes later",
        arguments: [StorageTier.disk, .shared], [true, false])
    func shutdown(tier: StorageTier, isGraceful: Bool) async throws {
        let pipeline = pipeline(in: tier)
        // A look-up may time out before the pipeline is shut down. The render that follows must not end before that either.
        if !isGraceful { renderer.suspend() }
        try submit(3, to: pipeline)
        #expect(keeper.lookUpCount > 0)
        await pipeline.shutDown(isGraceful: isGraceful)
        #expect(keeper.isClosed)
        #expect(
            (0..<3).allSatisfy { log.entries($0) == [isGraceful ? .final(side: SuspendableRenderer.side) : .cancelled] }
        )
        keeper.answer()
        #expect(pipeline.read { $0.statistics.runningRenderCount + $0.statistics.liveRequestCount } == 0)
        #expect(log.violations == [])
    }

    @Test("a pipeline that nobody waits for closes its stores as well, though a look-up hangs")
    func abandoning() async throws {
        let pipeline = pipeline(in: .shared)
        renderer.suspend()
        try submit(1, to: pipeline)
        #expect(keeper.lookUpCount == 1)
        pipeline.shutDown()
        while !keeper.isClosed { await Task.yield() }
        keeper.answer()
        #expect(log.entries(0) == [.cancelled])
    }
}
