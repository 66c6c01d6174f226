import Foundation
import ThumbwheelLocks

/// The bytes that each tenant has been sent today, in Greenwich time.
final class DailyQuotas: Sendable {
    private struct State {
        var day = 0
        var byteCounts: [Int]
    }

    private let limits: [Int?]
    private let state: Mutex<State>

    /// - Parameter limits: The bytes a day of each tenant; nil for any number.
    init(_ limits: [Int?]) {
        self.limits = limits
        state = Mutex(State(byteCounts: limits.map { _ in 0 }))
    }

    /// Counts bytes of a response.
    func add(_ byteCount: Int, of tenant: Int, at now: Date) {
        guard limits[tenant] != nil else { return }
        state.withLock { state in
            Self.turn(&state, to: now)
            state.byteCounts[tenant] += byteCount
        }
    }

    /// The seconds until a tenant that has used its quota may come again; nil if it may now.
    func secondsToWait(_ tenant: Int, at now: Date) -> Int? {
        guard let limit = limits[tenant] else { return nil }
        let used = state.withLock { state in
            Self.turn(&state, to: now)
            return state.byteCounts[tenant]
        }
        return used < limit ? nil : 86_400 - Int(now.timeIntervalSince1970) % 86_400
    }

    private static func turn(_ state: inout State, to now: Date) {
        let day = Int(now.timeIntervalSince1970) / 86_400
        guard day != state.day else { return }
        state.day = day
        state.byteCounts = state.byteCounts.map { _ in 0 }
    }
}
