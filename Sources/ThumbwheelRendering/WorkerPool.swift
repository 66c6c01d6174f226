import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The library's own threads for work that blocks, because threads of Swift's cooperative pool must not wait for
/// decoders.
///
/// At most `width` pieces of work run at once. Other pieces wait in order of arrival and occupy no threads.
final class WorkerPool: Sendable {
    static let shared = WorkerPool(width: ProcessInfo.processInfo.activeProcessorCount)

    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
        // The index in `waiting` of the next work to run. The entries before this index have been taken. They are
        // removed from `waiting` many at a time, because each removal moves all later entries.
        var next = 0
    }

    private let width: Int
    private let threads: BlockingThreads
    private let state = Mutex(State())

    init(width: Int) {
        self.width = max(1, width)
        threads = BlockingThreads(named: "thumbwheel-rendering", readyCount: width, limit: width)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state -> Bool in
            state.waiting.append(work)
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if startsThread { threads.run { self.drain() } }
    }

    private var hasWaiting: Bool { state.withLock { $0.next < $0.waiting.count } }

    private func drain() {
        while let work = take() { work() }
    }

    private func take() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.next < state.waiting.count else {
                state.waiting.removeAll(keepingCapacity: true)
                state.next = 0
                state.running -= 1
                return nil
            }
            let work = state.waiting[state.next]
            state.waiting[state.next] = {}
            state.next += 1
            if state.next >= 256, state.next * 2 >= state.waiting.count {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return work
        }
    }
}

extension WorkerPool: RenderAssistants {
    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
        let isIdle = state.withLock { state in
            guard state.running < width, state.next == state.waiting.count else { return false }
            state.running += 1
            return true
        }
        if isIdle {
            threads.run {
                work { self.hasWaiting }
                self.drain()
            }
        }
        return isIdle
    }
}
