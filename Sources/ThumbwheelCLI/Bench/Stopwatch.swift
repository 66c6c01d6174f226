import Foundation
import Thumbwheel

/// Times pieces of work and keeps what they made from being optimised away.
enum Stopwatch {
    /// In milliseconds.
    static func milliseconds<Value>(_ body: () throws -> Value) rethrows -> (time: Double, value: Value) {
        let start = MonotonicTime.now
        let value = try body()
        return (MonotonicTime.now.milliseconds(since: start), value)
    }

    /// The same of work that suspends.
    static func asyncMilliseconds<Value>(
        _ body: () async throws -> Value
    ) async rethrows -> (time: Double, value: Value) {
        let start = MonotonicTime.now
        let value = try await body()
        return (MonotonicTime.now.milliseconds(since: start), value)
    }

    /// Does two things in turn, so many times, and returns the milliseconds of each.
    static func interleaved(
        rounds: Int, _ one: () throws -> Void, _ other: () throws -> Void
    ) rethrows -> (one: [Double], other: [Double]) {
        var times: (one: [Double], other: [Double]) = ([], [])
        for _ in 0..<rounds {
            times.one.append(try milliseconds(one).time)
            times.other.append(try milliseconds(other).time)
        }
        return times
    }

    /// Pauses until some milliseconds have passed since a time.
    static func wait(_ milliseconds: Double, since start: MonotonicTime) {
        while case let rest = milliseconds - MonotonicTime.now.milliseconds(since: start), rest > 0 {
            usleep(UInt32(max(1, min(200, rest * 1000))))
        }
    }

    /// Nanoseconds for each of `count` operations, of milliseconds for all.
    static func nanosecondsEach(_ milliseconds: [Double], of count: Int) -> [Double] {
        milliseconds.map { $0 * 1e6 / Double(count) }
    }

    /// Reads a value where the optimiser cannot see that nobody needs it.
    @inline(never)
    static func consume<Value>(_ value: Value) {
        withExtendedLifetime(value) {}
    }
}
