import ThumbwheelCore
import ThumbwheelPipeline

extension SimulatedHistory {
    /// Has a history of random events happen.
    ///
    /// - Parameters:
    ///   - invariantInterval: the number of events between two checks of the pipeline's own invariants. The rules that a
    ///     caller sees are checked after every event all the same.
    ///   - allowsSharedTier: whether the history may have a tier that servers share, and tiers with faults that last.
    ///   - willTake: told of each step before it is taken, and so before it can trap.
    /// - Returns: what was reached, and a digest of all actions.
    @discardableResult
    package static func simulate(
        seed: UInt64, eventCount: Int = 240, invariantInterval: Int = 1, allowsSharedTier: Bool = true,
        willTake: (SimulatedHistory) -> Void = { _ in }
    ) throws(SimulationFailure) -> (tally: SimulationTally, digest: UInt64) {
        CrashSeed.note(seed)
        var chooser = EventChooser(seed: seed, allowsSharedTier: allowsSharedTier)
        var history = SimulatedHistory(setup: chooser.setup())
        history.steps.reserveCapacity(eventCount)
        var simulation = PipelineSimulation(history.setup, invariantInterval: invariantInterval)
        for _ in 0..<eventCount {
            let step = chooser.step(in: simulation)
            history.steps.append(step)
            willTake(history)
            if let rule = simulation.take(step) { throw SimulationFailure(rule: rule, history: history) }
        }
        if let rule = simulation.settle() { throw SimulationFailure(rule: rule, history: history) }
        return (simulation.tally, simulation.driver.digest)
    }

    /// Plays the history again.
    ///
    /// - Parameter narrate: told, line by line, what happens and what comes of it.
    /// - Returns: the rule that is broken, if any.
    package func replay(narrate: ((String) -> Void)? = nil) -> String? {
        var simulation = PipelineSimulation(setup)
        for step in steps {
            narrate?("\(simulation.driver.now.text(after: step.delay))  \(step.event)")
            let before = (starts: simulation.driver.starts.count, stops: simulation.driver.stops.count)
            let rule = simulation.take(step)
            if let narrate {
                for job in simulation.driver.stops[before.stops...] { narrate("    stops \(job.text)") }
                for job in simulation.driver.starts[before.starts...] { narrate("    starts \(job.text)") }
            }
            if let rule { return rule }
        }
        narrate?("then every render ends, and all results are taken")
        return simulation.settle()
    }
}

extension RenderAssignment {
    fileprivate var text: String { "\(keys.map(SimulatedWorld.name).joined(separator: ", with ")) on worker \(worker)" }
}

extension MonotonicTime {
    fileprivate func text(after delay: Double) -> String {
        let hundredths = (advanced(byMilliseconds: delay).nanoseconds + 5_000) / 10_000
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
    }
}
