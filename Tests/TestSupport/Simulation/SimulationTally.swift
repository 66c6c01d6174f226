import Thumbwheel

/// What happened in simulated histories, and how often: proof that a simulation reached what it is to test.
package struct SimulationTally: Sendable, Equatable {
    package enum Transition: Int, CaseIterable, Sendable {
        case submitted, cancelled, cancelledWhenOver, moved, drained
        case finished, failed, truncated, stopped, stoppedUnasked, finishedDespiteStop
        case windowAdded, windowRemoved, started, stoppedCaching, stoppedAll, qualitySwitched, budgetChanged,
            cancelledAll
        case closed, closedGracefully
        case fetched, fetchFailed, fetchStopped, fetchedDespiteStop, fetchProgressed, fetchPreempted
        case coalesced, preempted, evicted, cacheHit, ranBeyondBudget, clockMoved
        case woken, deadlineExceeded, timeLimitExceeded
        case shed, rejected
        case progressResult, networkRefused, degradedResult, finalResult, partialResult, failedResult, cancelledResult
    }

    private var counts = Array(repeating: 0, count: Transition.allCases.count)
    package private(set) var historyCount = 0

    package init() {}

    package subscript(transition: Transition) -> Int {
        counts[transition.rawValue]
    }

    package var neverTaken: [Transition] { Transition.allCases.filter { self[$0] == 0 } }

    mutating func count(_ transition: Transition, _ times: Int = 1) {
        counts[transition.rawValue] += times
    }

    mutating func endHistory(_ statistics: PipelineStatistics) {
        historyCount += 1
        count(.coalesced, statistics.requests.coalesced)
        count(.preempted, statistics.renders.preempted)
        count(.fetchPreempted, statistics.fetches.preempted)
        count(.evicted, statistics.cache.evictions)
        count(.cacheHit, statistics.cache.hits)
    }

    package mutating func add(_ other: SimulationTally) {
        historyCount += other.historyCount
        for (index, count) in other.counts.enumerated() { counts[index] += count }
    }
}

extension SimulationTally: CustomStringConvertible {
    package var description: String {
        Transition.allCases.map { "\($0) \(self[$0])" }.joined(separator: ", ")
    }
}
