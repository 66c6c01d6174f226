import Foundation
import ThumbwheelLocks

/// The bytes that each tenant has been sent today, in Greenwich time.
///
/// An answer counts in full from when it is made, and only as far as it was sent once it is over: if answers counted at
/// their ends, any number of them could begin together.
final class DailyQuotas: Sendable {
    /// The bytes of an answer that count before it is known how many of them are sent.
    struct Reservation {
        fileprivate let byteCount: Int
        fileprivate let day: Int
    }

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

    /// Counts all bytes of an answer; nil for a tenant without a limit.
    func reserve(_ byteCount: Int, of tenant: Int, at now: Date) -> Reservation? {
        guard limits[tenant] != nil else { return nil }
        return state.withLock { state in
            Self.turn(&state, to: now)
            state.byteCounts[tenant] += byteCount
            return Reservation(byteCount: byteCount, day: state.day)
        }
    }

    /// Counts the bytes that were sent of an answer instead of those that were reserved for it.
    ///
    /// - Parameter reservation: The answer's; nil for one whose bytes were not known.
    func settle(_ byteCount: Int, _ reservation: Reservation?, of tenant: Int, at now: Date) {
        guard limits[tenant] != nil else { return }
        state.withLock { state in
            Self.turn(&state, to: now)
            let difference = byteCount - (reservation?.byteCount ?? 0)
            // The day on which bytes were reserved is over, and has no use for those that were not sent.
            let isOfToday = reservation.map { $0.day == state.day } ?? true
            state.byteCounts[tenant] += isOfToday ? difference : max(0, difference)
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
