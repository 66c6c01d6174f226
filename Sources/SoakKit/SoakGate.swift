import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// A gate at which handlers and providers wait until the host opens it; those that come later wait for the next time.
package final class SoakGate: Sendable {
    private struct State {
        var nextNumber = 0
        var threads: [DispatchSemaphore] = []
        var tasks: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    /// More handlers than this never wait at once: beyond 256 of them the library may hold up others.
    private static let threadLimit = 48

    private let state = Mutex(State())

    package init() {}

    /// Blocks the calling thread, unless enough threads are blocked.
    package func block() {
        let semaphore = DispatchSemaphore(value: 0)
        let waits = state.withLock { state in
            guard state.threads.count < Self.threadLimit else { return false }
            state.threads.append(semaphore)
            return true
        }
        if waits { semaphore.wait() }
    }

    /// Suspends the task until the gate opens or the task is cancelled.
    package func pass() async {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.tasks[number] = continuation }
                // Cancelled before there was anything to end.
                if Task.isCancelled { release(number) }
            }
        } onCancel: {
            release(number)
        }
    }

    private func release(_ number: Int) {
        state.withLock { $0.tasks.removeValue(forKey: number) }?.resume()
    }

    package func open() {
        let (threads, tasks) = state.withLock { state in
            defer { (state.threads, state.tasks) = ([], [:]) }
            return (state.threads, state.tasks)
        }
        for thread in threads { thread.signal() }
        for task in tasks.values { task.resume() }
    }
}
