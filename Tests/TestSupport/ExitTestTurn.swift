import Foundation
import Testing
import ThumbwheelLocks

/// Runs exit tests so that a thread is left for all other tests.
///
/// For as long as the process of an exit test runs, Swift Testing blocks one thread of the concurrency pool, which has one
/// for each processor. Where all of them are blocked, no other test makes progress.
package struct ExitTestTurn: TestTrait, SuiteTrait, TestScoping {
    private static let turns = Turns(count: max(1, ProcessInfo.processInfo.activeProcessorCount - 1))

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.turns.take()
        defer { Self.turns.giveBack() }
        try await function()
    }
}

extension Trait where Self == ExitTestTurn {
    /// For exit tests: on two processors they run one after the other.
    package static var takesTurns: Self { Self() }
}

/// A counting semaphore whose waiting tasks block no thread. Who waits longest goes first.
private final class Turns: Sendable {
    private struct State {
        var freeCount: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(freeCount: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeCount > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.freeCount -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.resume()
    }
}
