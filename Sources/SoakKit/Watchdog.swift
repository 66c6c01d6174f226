import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Tells somebody once when a step takes longer than patience allows.
package final class Watchdog: Sendable {
    private struct State {
        var text: String?
        var began = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let patience: Duration

    package init(patience: Duration, _ stuck: @escaping @Sendable (String) -> Void) {
        self.patience = patience
        Thread.detachNewThread { [weak self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                guard let self else { return }
                if let text = self.overdue { return stuck(text) }
            }
        }
    }

    /// - Parameter text: what is waited for from now on.
    package func begin(_ text: String) {
        state.withLock { $0 = State(text: text) }
    }

    package func end() {
        state.withLock { $0.text = nil }
    }

    private var overdue: String? {
        state.withLock { state in ContinuousClock.now - state.began > patience ? state.text : nil }
    }
}
