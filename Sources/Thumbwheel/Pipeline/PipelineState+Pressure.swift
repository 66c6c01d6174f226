import ThumbwheelCore

// MARK: When memory is short

extension PipelineState {
    /// Who says how short memory is: what either says counts.
    package enum PressureSource: Sendable {
        /// The host, by `ImageManager.setMemoryPressure`.
        case host
        /// What the system tells of the process's control group.
        case system
    }

    /// How short memory is, and what the budget is by its owner's word.
    struct PressureState {
        var grantedByteCount: Int
        var host = MemoryPressure.none
        var system = MemoryPressure.none

        var level: MemoryPressure { max(host, system) }

        func level(of source: PressureSource) -> MemoryPressure {
            switch source {
            case .host: host
            case .system: system
            }
        }

        /// What may be spent at the present level.
        var limit: Int {
            switch level {
            case .none, .mild, .moderate: grantedByteCount
            case .severe: grantedByteCount / 2
            case .critical: 0
            }
        }
    }

    /// Changes the limit and gives up what no longer fits, in the order of eviction.
    package mutating func setBudget(_ byteCount: Int, at now: MonotonicTime) {
        pressure.grantedByteCount = byteCount
        trim(at: now)
    }

    /// Gives up what the pressure asks for, now and at each repetition; as it falls, work goes on.
    ///
    /// At `critical` the limit is 0: then whatever is awaited is made alone, and nothing is made ahead, or kept for longer
    /// than its receivers hold it.
    package mutating func setMemoryPressure(
        _ level: MemoryPressure, from source: PressureSource, at now: MonotonicTime
    ) {
        switch source {
        case .host: pressure.host = level
        case .system: pressure.system = level
        }
        trim(at: now)
    }

    private mutating func trim(at now: MonotonicTime) {
        budget.setLimit(pressure.limit)
        if pressure.level >= .mild { evictUnused() }
        if pressure.level >= .moderate { evictLoose() }
        evict(untilFitting: 0, includingHeld: true)
        giveUpFetchedBytes(untilFitting: 0)
        dispatch(at: now)
    }
}
