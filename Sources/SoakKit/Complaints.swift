import ThumbwheelLocks

/// Where any thread notes a broken promise. The first one stays.
package final class Complaints: Sendable {
    private let state = Mutex<SoakFailure?>(nil)

    package init() {}

    package var first: SoakFailure? { state.withLock { $0 } }

    package func note(_ rule: SoakFailure.Rule, expected: String, seen: String) {
        state.withLock { first in
            if first == nil { first = SoakFailure(rule, expected: expected, seen: seen) }
        }
    }

    /// - Throws: the first complaint, if there is one.
    package func check() throws(SoakFailure) {
        if let first { throw first }
    }
}
