import Thumbwheel
import ThumbwheelLocks

/// Bytes that come over a network that a test plays: a fetch waits until it is answered or its task is cancelled, and
/// calls are counted.
package final class SuspendableProvider: ResourceProvider {
    private typealias Answer = Result<[UInt8], ByteSourceError>

    private struct State {
        var fetches: [Int: CheckedContinuation<Answer, Never>] = [:]
        var progress: [Int: @Sendable (Double) -> Void] = [:]
        var fetchCount = 0
        var cancelledCount = 0
        var watchers: [(fetchCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package let identifier: String
    package let requiresNetwork = true
    private let contents: [UInt8]
    private let state = Mutex(State())

    /// - Parameter contents: what `open` returns, and what fetches bring unless they are told otherwise.
    package init(_ identifier: String = "provider", _ contents: [UInt8] = []) {
        self.identifier = identifier
        self.contents = contents
    }

    /// How many fetches have begun.
    package var fetchCount: Int { state.withLock { $0.fetchCount } }
    /// How many have ended because their tasks were cancelled.
    package var cancelledCount: Int { state.withLock { $0.cancelledCount } }

    package func open() -> any ByteSource { MemoryByteSource(contents) }

    package func fetch(
        upTo byteLimit: Int, progress: @escaping @Sendable (Double) -> Void
    ) async throws(ByteSourceError) -> [UInt8] {
        let number = state.withLock { state in
            state.fetchCount += 1
            return state.fetchCount
        }
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let watchers = state.withLock { state in
                    state.fetches[number] = continuation
                    state.progress[number] = progress
                    let watchers = state.watchers.filter { $0.fetchCount <= state.fetchCount }
                    state.watchers.removeAll { $0.fetchCount <= state.fetchCount }
                    return watchers.map(\.continuation)
                }
                for watcher in watchers { watcher.resume() }
                // Cancelled before there was anything to end.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try answer.get()
    }

    /// Tells all fetches that wait how far they are.
    package func progress(to fraction: Double) {
        for progress in state.withLock({ Array($0.progress.values) }) { progress(fraction) }
    }

    /// Ends all fetches that wait: with the contents, or with an error.
    package func answer(_ error: ByteSourceError? = nil) {
        let fetches = state.withLock { state in
            defer { (state.fetches, state.progress) = ([:], [:]) }
            return state.fetches
        }
        for fetch in fetches.values { fetch.resume(returning: error.map { .failure($0) } ?? .success(contents)) }
    }

    /// Returns when this many fetches have begun.
    package func waitForFetches(_ fetchCount: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.fetchCount >= fetchCount && state.fetches[fetchCount] != nil
                if !isThere { state.watchers.append((fetchCount, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }

    private func cancel(_ number: Int) {
        let fetch = state.withLock { state in
            state.progress[number] = nil
            let fetch = state.fetches.removeValue(forKey: number)
            if fetch != nil { state.cancelledCount += 1 }
            return fetch
        }
        fetch?.resume(returning: .failure(.network(.cancelled)))
    }
}
