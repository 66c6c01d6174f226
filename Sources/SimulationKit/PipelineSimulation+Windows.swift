import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelScheduling

// MARK: Windows and memory

extension PipelineSimulation {
    /// The number of entries that change, or requests that are cancelled, at once.
    static let pieceLength = 3

    mutating func openWindow(_ number: Int) {
        tally.count(.windowAdded)
        windows.append((number, driver.apply { state, _ in state.addWindow() }))
    }

    mutating func closeWindow(_ number: Int) {
        guard let index = windows.firstIndex(where: { $0.number == number }) else { return }
        tally.count(.windowRemoved)
        let window = windows.remove(at: index).identifier
        driver.apply { $0.removeWindow(window, at: $1) }
    }

    mutating func startCaching(_ entries: [SimulatedWindowEntry], in number: Int) {
        guard let window = window(number) else { return }
        tally.count(.cachingStarted)
        let wishes = entries.map { entry in
            let key = SimulatedWorld.key(of: entry.picture)
            return WindowWish(key, work: SimulatedWorld.work(for: key, of: driver.host), urgency: entry.urgency)
        }
        driver.apply { $0.perform(.startCaching(wishes), in: window, at: $1) }
    }

    mutating func stopCaching(_ pictures: [SimulatedPicture], in number: Int) {
        guard let window = window(number) else { return }
        tally.count(.cachingStopped)
        let keys = pictures.map { SimulatedWorld.key(of: $0) }
        driver.apply { $0.perform(.stopCaching(keys), in: window, at: $1) }
    }

    mutating func stopCachingAll(in number: Int) {
        guard let window = window(number) else { return }
        tally.count(.cachingStoppedAll)
        while !driver.apply({ $0.stopCachingAll(in: window, atMost: Self.pieceLength, at: $1) }) {}
    }

    mutating func switchQuality(of number: Int, allows: Bool) {
        guard let window = window(number) else { return }
        tally.count(allows ? .qualityRaised : .qualityLowered)
        // The rest stays as it is: a list that has not been worked off when the next event comes.
        driver.apply { $0.setAllowsHighQuality(allows, in: window, atMost: Self.pieceLength, at: $1) }
    }

    mutating func forget(_ asset: Int) -> String? {
        tally.count(.forgotten)
        driver.apply { $0.forget([SimulatedWorld.identifier(of: asset)], at: $1) }
        var state = driver.state
        let isThere = SimulatedWorld.keys(of: asset).contains { key in
            state.answer(key, priority: .background, at: .zero) != nil
        }
        return isThere ? "something is left of a forgotten asset" : nil
    }

    mutating func setBudget(_ budget: Int) {
        tally.count(budget < rules.budget ? .budgetCut : .budgetRaised)
        rules.setBudget(budget, startCount: driver.starts.count)
        driver.apply { $0.setBudget(budget, at: $1) }
    }

    mutating func setMemoryPressure(_ pressure: MemoryPressure) {
        tally.count(pressure > driver.state.statistics.memoryPressure ? .pressureRose : .pressureFell)
        rules.setPressure(pressure, startCount: driver.starts.count)
        driver.apply { $0.setMemoryPressure(pressure, from: .host, at: $1) }
    }

    private func window(_ number: Int) -> Int? { windows.first { $0.number == number }?.identifier }
}
