import ThumbwheelAssets
import ThumbwheelCore

/// Fetches the bytes of resources through their own providers, each fetch in a task of its own.
struct ProviderFetcher: ResourceFetcher {
    let byteLimit: Int

    func fetch(
        _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
        completion: @escaping @Sendable (FetchOutcome) -> Void
    ) {
        let resource = assignment.work.asset.resource(of: assignment.subject.version)
        guard case .provider(let provider) = resource.source else {
            preconditionFailure("a fetch of what is at hand")
        }
        let task = Task(executorPreference: FetchExecutor.shared) {
            // A file that is known to exceed the byte limit is not transferred at all.
            let outcome =
                assignment.work.remoteByteCount! <= byteLimit
                ? await outcome(of: provider, progress: progress)
                : .failed(.rendering(.limitExceeded(limit: .bytes)))
            completion(assignment.token.isCancelled ? .stopped : outcome)
        }
        assignment.token.onCancel { task.cancel() }
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

/// Runs resource providers on threads of their own. Synchronous requests may block every thread of Swift's pool and of
/// Dispatch's until their bytes arrive, so fetches on those pools might never start.
private final class FetchExecutor: TaskExecutor {
    static let shared = FetchExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        BlockingThreads.fetches.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
