import Dispatch
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelRendering

/// The histories of a range of seeds, run on all processors.
package struct SimulationRange: Sendable {
    package struct Failure: Sendable {
        package let seed: UInt64
        package let failure: SimulationFailure
    }

    package struct Outcome: Sendable {
        package fileprivate(set) var tally = SimulationTally()
        /// Of all that failed, the first.
        package fileprivate(set) var failure: Failure?
        package fileprivate(set) var digest = HistoryDigest()
    }

    private struct State {
        var next: UInt64
        var outcome = Outcome()
    }

    /// How many histories a thread takes at once.
    private static let stride: UInt64 = 64

    private let first: UInt64
    private let end: UInt64

    /// Whether histories may have a tier that servers share, and tiers with faults that last.
    private let allowsSharedTier: Bool
    private let invariantInterval: Int

    /// - Parameter invariantInterval: the number of events between two checks of the pipeline's own invariants.
    package init(first: UInt64, count: Int, allowsSharedTier: Bool = true, invariantInterval: Int = 1) {
        self.allowsSharedTier = allowsSharedTier
        self.invariantInterval = invariantInterval
        self.first = first
        end = first + UInt64(count)
    }

    /// - Parameter progress: told now and then how many histories have been taken up.
    package func run(progress: @Sendable (UInt64) -> Void = { _ in }) -> Outcome {
        let state = Mutex(State(next: first))
        DispatchQueue.concurrentPerform(iterations: HostResources.current.processorCount) { _ in
            while let seeds = takeSeeds(from: state) {
                progress(seeds.lowerBound - first)
                var part = Outcome()
                for seed in seeds where part.failure == nil {
                    do throws(SimulationFailure) {
                        let (tally, digest) = try SimulatedHistory.simulate(
                            seed: seed, invariantInterval: invariantInterval, allowsSharedTier: allowsSharedTier)
                        part.tally.add(tally)
                        part.digest.add(digest, of: seed)
                    } catch {
                        part.failure = Failure(seed: seed, failure: error)
                    }
                }
                state.withLock { [part] in $0.outcome.add(part) }
            }
        }
        return state.withLock { $0.outcome }
    }

    /// Nil where none are left, or the first failure is among those that have been taken.
    private func takeSeeds(from state: borrowing Mutex<State>) -> Range<UInt64>? {
        state.withLock { state in
            guard state.next < end, state.outcome.failure == nil else { return nil }
            let seeds = state.next..<min(end, state.next + Self.stride)
            state.next = seeds.upperBound
            return seeds
        }
    }
}

extension SimulationRange.Outcome {
    fileprivate mutating func add(_ part: Self) {
        tally.add(part.tally)
        digest.add(part.digest)
        guard let failure = part.failure, failure.seed < self.failure?.seed ?? .max else { return }
        self.failure = failure
    }
}
