import ThumbwheelAssets
import ThumbwheelCore

/// Has the resources' own providers bring them, each in a task.
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
            // A file known to be too long costs no transfer.
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

/// Runs resource providers on threads of their own. Synchronous requests may hold every thread of Swift's pool and of
/// Dispatch's until their bytes arrive; fetches on those pools would never start.
private final class FetchExecutor: TaskExecutor {
    static let shared = FetchExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        BlockingThreads.fetches.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
