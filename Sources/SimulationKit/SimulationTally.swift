import ThumbwheelPipeline

/// What happened in simulated histories, and how often: proof that a simulation reached what it is to test.
package struct SimulationTally: Sendable, Equatable {
    package enum Transition: Int, CaseIterable, Sendable {
        // Requests
        case submitted, submittedWhenClosed, cancelledBefore, refused, coalesced, servedFromCache, answeredByCache,
            batched
        case movedUp, movedDown, cancelled, cancelledWhenOver, cancelledAll
        case shed, rejected, deadlineExceeded, networkRefused, progressResult
        case degradedResult, secondDegradedResult, finalResult, partialResult, failedResult, cancelledResult,
            drainedInVain
        // Renders
        case started, shared, begunAgain, encodedFromPixels, resampled, toldToStop, finished, finishedDespiteStop,
            failed,
            failedDespiteStop,
            truncated,
            stopped, stoppedUnasked, preempted, timeLimitExceeded, abandoned, abandonedEnded
        // Fetches
        case fetched, fetchFailed, fetchStopped, fetchedDespiteStop, fetchProgressed, fetchPreempted
        // Tiers below memory
        case tierFull, tierGone, tierOfLaterVersion, tierHung, tierSlow, tierDamaged, tierFlushed, tierWellAgain,
            valueLost
        case foundBelow, lookedUpInVain, lookUpRefused, lookUpHung, lookUpUnanswered, foundShared
        case claimFound, claimRefused, claimWon, claimUnanswered, claimStopped, claimEnded, claimKept, claimImpatient
        // Windows
        case windowAdded, windowRemoved, cachingStarted, cachingStopped, cachingStoppedAll, qualityRaised,
            qualityLowered, forgotten
        // Memory
        case budgetCut, budgetRaised, pressureRose, pressureFell, evicted, packed, unpacked, ranBeyondBudget,
            keptBeyondBudget
        // The rest
        case clockMoved, woken, closed, closedGracefully, idle
    }

    private var counts = Array(repeating: 0, count: Transition.allCases.count)
    package private(set) var historyCount = 0

    package init() {}

    package subscript(transition: Transition) -> Int { counts[transition.rawValue] }

    package var neverTaken: [Transition] { Transition.allCases.filter { self[$0] == 0 } }

    mutating func count(_ transition: Transition, _ times: Int = 1) {
        counts[transition.rawValue] += times
    }

    /// Adds what the pipeline and its driver have counted over a whole history.
    mutating func endHistory(_ driver: PipelineDriver) {
        let statistics = driver.state.statistics
        historyCount += 1
        count(.coalesced, statistics.requests.coalesced)
        count(.preempted, statistics.renders.preempted)
        count(.fetchPreempted, statistics.fetches.preempted)
        count(.evicted, statistics.cache.evictions)
        count(.servedFromCache, statistics.cache.hits)
        count(.started, driver.starts.count)
        count(.encodedFromPixels, driver.starts.count { $0.input != nil && $0.key.encoding != nil })
        count(.resampled, statistics.renders.resampled)
        count(.packed, statistics.cache.packed)
        count(.unpacked, statistics.cache.unpacked)
        count(.shared, driver.starts.count { !$0.companions.isEmpty })
        count(.toldToStop, driver.stops.count)
        count(.abandoned, driver.abandonedCount)
        count(.claimKept, driver.endedClaimCounts.kept)
        count(.claimEnded, driver.endedClaimCounts.given)
        if driver.isIdle { count(.idle) }
    }

    mutating func add(_ other: SimulationTally) {
        historyCount += other.historyCount
        for (index, count) in other.counts.enumerated() { counts[index] += count }
    }
}

extension SimulationTally.Transition {
    /// The beginning of a fault of a tier below memory; for nil, its end.
    static func beginning(of fault: SimulatedTierFault?) -> Self {
        switch fault {
        case .full: .tierFull
        case .gone: .tierGone
        case .laterVersion: .tierOfLaterVersion
        case .hung: .tierHung
        case .slow: .tierSlow
        case .damaged: .tierDamaged
        case .flushed: .tierFlushed
        case nil: .tierWellAgain
        }
    }
}

extension SimulationTally: CustomStringConvertible {
    /// A line for each transition.
    package var description: String {
        let width = Transition.allCases.map { "\($0)".count }.max()!
        return Transition.allCases.map { transition in
            let name = "\(transition)"
            return "  \(name)\(String(repeating: " ", count: width - name.count))  \(self[transition])"
        }.joined(separator: "\n")
    }
}
