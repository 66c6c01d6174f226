import Thumbwheel

// MARK: Windows and memory

extension PipelineSimulation {
    mutating func openWindow() {
        tally.count(.windowAdded)
        windows.append(driver.apply { state, _ in state.addWindow() })
    }

    mutating func closeWindow(at index: Int) {
        tally.count(.windowRemoved)
        let window = windows.remove(at: index)
        driver.apply { $0.removeWindow(window, at: $1) }
    }

    mutating func startCaching() {
        guard let window = someWindow() else { return }
        tally.count(.started)
        let entries = (0..<1 + random.index(below: 5)).map { index in
            let key = someWindowKey()
            return (key: key, work: world.work(for: key), urgency: index == 3 ? Double.nan : Double(index))
        }
        driver.apply { $0.startCaching(entries, in: window, at: $1) }
    }

    mutating func stopCaching() {
        guard let window = someWindow() else { return }
        tally.count(.stoppedCaching)
        let keys = (0..<1 + random.index(below: 8)).map { _ in someWindowKey() }
        driver.apply { $0.stopCaching(keys, in: window, at: $1) }
    }

    mutating func stopAll() {
        guard let window = someWindow() else { return }
        tally.count(.stoppedAll)
        driver.apply { $0.stopCachingAll(in: window, at: $1) }
    }

    mutating func switchQuality() {
        guard let window = someWindow() else { return }
        tally.count(.qualitySwitched)
        let allows = random.index(below: 2) == 0
        driver.apply { $0.setAllowsHighQuality(allows, in: window, at: $1) }
    }

    mutating func changeBudget() {
        tally.count(.budgetChanged)
        budget = [1 << 17, 1 << 19, 2 << 20, 16 << 20][random.index(below: 4)]
        driver.apply { [budget] in $0.setBudget(budget, at: $1) }
    }

    private mutating func someWindow() -> Int? {
        windows.isEmpty ? nil : windows[random.index(below: windows.count)]
    }

    private mutating func someWindowKey() -> RenditionKey {
        world.key(somePicture(&random), kind: random.index(below: 4) == 0 ? .fast : .high)
    }
}
