import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// Fetches the bytes of resources through their own providers, each fetch in a task of its own.
struct ProviderFetcher: ResourceFetcher {
    let configuration: ImageManager.Configuration
    /// The decoder processes of the manager; nil if it has none. If a file is fetched in ranges, and only a decoder can
    /// tell which ranges an image needs, one of these processes runs the decoder.
    let isolation: RenderIsolation?

    init(_ configuration: ImageManager.Configuration, isolation: RenderIsolation?) {
        self.configuration = configuration
        self.isolation = isolation
    }

    private var byteLimit: Int { configuration.limits.byteCount }

    func fetch(
        _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
        completion: @escaping @Sendable (FetchOutcome) -> Void
    ) {
        let resource = assignment.work.asset.resource(of: assignment.subject.version)
        guard case .provider(let provider) = resource.source else {
            preconditionFailure("a fetch of what is at hand")
        }
        let task = Task(executorPreference: FetchExecutor.shared) {
            let outcome = await outcome(of: assignment, from: provider, progress: progress)
            completion(assignment.token.isCancelled ? .stopped : outcome)
        }
        assignment.token.onCancel { task.cancel() }
    }

    private func outcome(
        of assignment: FetchAssignment, from provider: any ResourceProvider,
        progress: @escaping @Sendable (Double) -> Void
    ) async -> FetchOutcome {
        // A file that is known to exceed the byte limit is not transferred at all.
        guard assignment.work.remoteByteCount! <= byteLimit else {
            return .failed(.rendering(.limitExceeded(limit: .bytes)))
        }
        if assignment.extent != .whole {
            let fetch = RangeFetch(assignment, provider, configuration, isolation: isolation, progress: progress)
            if let outcome = await fetch.run() { return outcome }
        }
        return await outcome(of: provider, progress: progress)
    }

    private func outcome(
        of provider: any ResourceProvider, progress: @escaping @Sendable (Double) -> Void
    ) async -> FetchOutcome {
        do throws(ByteSourceError) {
            let bytes = try await provider.fetch(upTo: byteLimit, progress: progress)
            return .bytes(FetchedBytes(source: MemoryByteSource(bytes), byteCount: bytes.count))
        } catch {
            return .failed(ImageRequestError(.source(error)))
        }
    }
}

/// Runs resource providers on threads of their own. Synchronous requests of a program wait for a provider's bytes, and
/// can block all threads of Swift's pool and of Dispatch's pool. A provider that had to run in one of these pools might
/// then never start, and the requests would wait forever.
private final class FetchExecutor: TaskExecutor {
    static let shared = FetchExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        BlockingThreads.fetches.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
