import ThumbwheelCore
import ThumbwheelLocks

/// Passes the progress of a transfer on to the host, on a thread that the host may block.
final class ProgressRelay: Sendable {
    private struct State {
        /// The newest fraction; nil once it has been passed on.
        var latest: Double?
        var hasBegun = false
    }

    private let progress: @Sendable (Double) -> Void
    private let work = SerialWork(on: .handlers)
    private let state = Mutex(State())

    init(_ progress: @escaping @Sendable (Double) -> Void) {
        self.progress = progress
    }

    /// Passes a fraction on, unless a newer one comes before the host has taken the last one.
    func tell(_ fraction: Double) {
        let isWaiting = state.withLock { state in
            defer { (state.latest, state.hasBegun) = (fraction, true) }
            return state.latest != nil
        }
        guard !isWaiting else { return }
        work.run { [self] in
            if let fraction = state.withLock({ $0.latest.take() }) { progress(fraction) }
        }
    }

    /// Calls `body` after all progress.
    func end(_ body: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.hasBegun }) { work.run(body) } else { body() }
    }
}
