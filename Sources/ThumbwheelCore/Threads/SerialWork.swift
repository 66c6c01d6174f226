import ThumbwheelLocks

/// Runs closures one after another, in the order in which they are given, on threads that may block.
///
/// A closure that blocks delays only the closures behind it, not those of another `SerialWork` on the same threads. A serial
/// queue of Dispatch makes the same promises. But on Linux, a process with many such queues comes to have more than a hundred
/// threads, which stay for as long as there is some work, and each of which keeps 64 KB of free blocks. These threads become
/// no more than are busy at once.
package final class SerialWork: Sendable {
    private struct State {
        var waiting: [BlockingThreads.Work] = []
        var isRunning = false
    }

    private let threads: BlockingThreads
    private let state = Mutex(State())

    package init(on threads: BlockingThreads) {
        self.threads = threads
    }

    /// Runs `work` after everything that was given before. Work that was given is done even if this object is let go of.
    package func run(_ work: @escaping BlockingThreads.Work) {
        let isFirst = state.withLock { state in
            state.waiting.append(work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { threads.run { self.runAll() } }
    }

    private func runAll() {
        while var batch = takeAll() {
            batch.reverse()
            // Each closure is destroyed before the next one runs, so that its captures live no longer than it does.
            while let work = batch.popLast() { work() }
        }
    }

    /// - Returns: the closures that wait; nil if there are none, and the next one needs a thread again.
    private func takeAll() -> [BlockingThreads.Work]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
